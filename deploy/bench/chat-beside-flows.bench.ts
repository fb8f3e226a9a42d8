import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { codecOf, peopleInFlows } from '../test/people-in-flows.ts'
import { productProcess } from '../test/product-process.ts'
import { Visitor } from '../test/visitor.ts'
import { delayedRuns } from './delayed-runs.ts'
import { median } from './measure.ts'
import { paced } from './paced.ts'

/**
 * Live chat (list, conversation, answer, push) while 1,000 runs of another tenant's flow are due in one second over 50 lines, against the
 * same without load.
 */
const runs = 1000
const lines = 50
const contacts = 100
const perSecond = 40
const quietSeconds = 10
const rounds = Number(process.env.PROSA_ROUNDS ?? 3)

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
const whatsapp = new SandboxServer({ fewPreKeys: true })
await whatsapp.start()
const product = await productProcess(server.url, whatsapp.url)
const pool = openPool(server.url)
const store = await postgresEventStore({ url: server.url })
const stop = new AbortController()
try {
  const codec = await codecOf(pool, server.url, Buffer.from(product.secret, 'hex'), stop.signal)
  const marina = await new Visitor(product.url).register()
  const { id: tenant } = await marina.get<{ id: string }>('/api/auth/user')
  const shop = peopleInFlows({ store, codec }, tenant)
  const { id: line } = await marina.link(whatsapp.addPhone('5511900000001', 'Padaria Sol'))
  const people: string[] = []
  for (let index = 0; index < contacts; index++) {
    const person = await shop.person()
    await shop.writes(person, line, 'Bom dia!')
    people.push(person)
  }
  await until(async () => (await marina.all(`/api/whatsapp/contacts?status=waiting`)).length === contacts, 30_000)
  const ana = whatsapp.addPhone('5511988776655', 'Ana')
  await ana.sendText('5511900000001', 'Bom dia!')
  const answered = await until(async () => (await marina.contacts('waiting')).find(({ name }) => name === 'Ana')?.id)
  const socket = marina.socket()
  await until(() => socket.connected)

  const liveChat = async (isOver: () => boolean) => {
    const delays: Record<string, number[]> = { list: [], conversation: [], answer: [], push: [] }
    const pushes = new Map<string, number>()
    const onPush = ({ contactId }: { contactId: string }) => {
      const since = pushes.get(contactId)
      if (since !== undefined) delays.push?.push(performance.now() - since)
      pushes.delete(contactId)
    }
    socket.on('whatsapp:new_message', onPush)
    const timed = async (kind: string, ask: () => Promise<unknown>) => {
      const began = performance.now()
      await ask()
      delays[kind]?.push(performance.now() - began)
    }
    const arrives = async () => {
      const person = await shop.person()
      pushes.set(person, performance.now())
      await shop.writes(person, line, 'Bom dia!')
    }
    const waiting: Promise<unknown>[] = []
    let count = 0
    while (!isOver())
      await paced(perSecond, 0.5, () => {
        const person = people[count % contacts] ?? ''
        const kinds = [
          () => timed('list', () => marina.get('/api/whatsapp/contacts?status=waiting')),
          () => timed('conversation', () => marina.messages(person)),
          () => timed('answer', () => marina.send(line, answered, 'Já vejo.')),
          arrives,
        ]
        waiting.push(kinds[count++ % kinds.length]?.() ?? Promise.resolve())
      })
    await Promise.all(waiting)
    await until(() => pushes.size === 0, 30_000)
    socket.off('whatsapp:new_message', onPush)
    return delays
  }

  const quiet: Record<string, number[]>[] = []
  const busy: Record<string, number[]>[] = []
  const burstSeconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const delayed = await delayedRuns({ pool, store, codec }, { runs, lines, secondsUntilDue: 60 })
    // Lets all consumers catch up with the preparation.
    await delay(5000)
    const until = Math.min(Date.now() + quietSeconds * 1000, delayed.due - 2000)
    quiet.push(await liveChat(() => Date.now() > until))
    await delay(delayed.due - Date.now())
    const burst = { isOver: false }
    const over = delayed.areOver().then(() => {
      burst.isOver = true
    })
    busy.push(await liveChat(() => burst.isOver))
    await over
    const shown = 'select count(*)::int as count from flow_run where owner = $1 and ended_at is not null'
    while ((await pool.query<{ count: number }>(shown, [delayed.tenant])).rows[0]?.count !== runs) await delay(50)
    const last = (await delayed.recorded('FlowRunEnded')).toSorted().at(-1) ?? ''
    burstSeconds.push((Date.parse(last) - delayed.due) / 1000)
  }

  const quantile = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
  const of = (rows: readonly Record<string, number[]>[], kind: string) => rows.flatMap((row) => row[kind] ?? [])
  console.log(`${runs} runs due together over ${lines} lines, ${rounds} rounds; node ${process.version}`)
  console.log(`all decided and asked for after ${median(burstSeconds).toFixed(2)} s`)
  console.table(
    Object.fromEntries(
      ['list', 'conversation', 'answer', 'push'].map((kind) => [
        kind,
        {
          'quiet p50 ms': Math.round(quantile(of(quiet, kind), 0.5)),
          'quiet p99 ms': Math.round(quantile(of(quiet, kind), 0.99)),
          'busy p50 ms': Math.round(quantile(of(busy, kind), 0.5)),
          'busy p99 ms': Math.round(quantile(of(busy, kind), 0.99)),
          'p99, times the quiet one': Number(
            (quantile(of(busy, kind), 0.99) / quantile(of(quiet, kind), 0.99)).toFixed(1),
          ),
          asked: of(busy, kind).length,
        },
      ]),
    ),
  )
  socket.close()
} finally {
  stop.abort()
  await product.remove()
  await whatsapp.stop()
  await store.close()
  await pool.end()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
