import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { WalkPart } from '@prosa/contracts/http/what-if/walk'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { openPool } from '@prosa/kernel/postgres/pool'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { codecOf } from '../test/people-in-flows.ts'
import { productProcess } from '../test/product-process.ts'
import { questionFlow } from '../test/question-flow.ts'
import { Visitor } from '../test/visitor.ts'
import { median, quantile } from './measure.ts'
import { contactIdOf, storeHistory } from './reading-log.ts'

/**
 * Opening hours and a flow tried over a month of one tenant, part after part, against reading and decoding the same chats alone; what another tenant's list
 * takes meanwhile. Rounds alternate. Arguments: messages, contacts.
 */
const messages = Number(process.argv[2] ?? 20_000)
const contacts = Number(process.argv[3] ?? 1000)
const rounds = 3
const daySeconds = 86_400
const days = 30
const pollMs = 100
const period = { from: '2026-01-01', to: '2026-01-30' }
const texts = ['Vocês abrem domingo?', 'Queria fazer um pedido', 'Bom dia!', 'Pode entregar às 19 h?']

const closedAtNight = [[], ...Array.from({ length: 5 }, () => [{ from: '08:00', to: '18:00' }]), []]
const hours = { timeZone: 'America/Sao_Paulo', week: closedAtNight, holidays: [], isReplyOn: true }

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
const whatsapp = new SandboxServer({ fewPreKeys: true })
await whatsapp.start()
const product = await productProcess(server.url, whatsapp.url)
const pool = openPool(server.url)
const store = await postgresEventStore({ url: server.url })
const stop = new AbortController()

const timed = async <Result>(work: () => Promise<Result>) => {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}

interface Walk {
  seconds: number
  parts: number[]
  last: WalkPart & Record<string, unknown>
}

const walk = async (visitor: Visitor, path: string, body: object): Promise<Walk> => {
  const parts: number[] = []
  let after = ''
  for (;;) {
    const { ms, result } = await timed(() => visitor.post<Walk['last']>(path, { ...body, ...period, after }))
    parts.push(ms)
    if (result.next === null) return { seconds: parts.reduce((sum, part) => sum + part, 0) / 1000, parts, last: result }
    after = result.next
  }
}

try {
  const codec = await codecOf(pool, server.url, Buffer.from(product.secret, 'hex'), stop.signal)
  const [asking, other] = [await new Visitor(product.url).register(), await new Visitor(product.url).register()]
  const { id: tenant } = await asking.get<{ id: string }>('/api/auth/user')
  const stored = await timed(() =>
    storeHistory(
      { store, codec },
      {
        ...{ tenant, contacts, messages, textOf: (message: number) => texts[message % texts.length] ?? '' },
        contactOf: (message) => (message * 7919) % contacts,
        secondsApart: Math.floor((days * daySeconds) / messages),
      },
    ),
  )
  const caughtUp = await timed(async () => {
    const shown = 'select count(*)::int as count from chat_message where owner = $1'
    await until(async () => (await pool.query<{ count: number }>(shown, [tenant])).rows[0]?.count === messages, 900_000)
    const list = 'select count(*)::int as count from contact_list where owner = $1'
    await until(async () => (await pool.query<{ count: number }>(list, [tenant])).rows[0]?.count === contacts, 900_000)
  })
  await pool.query(withoutTimeout('vacuum analyze'))
  // Reactors that follow the history end before anything is timed.
  await delay(10_000)
  const flow = await asking.post<{ id: string }>('/api/flows', { name: 'Entrega' })

  const readAlone = async () => {
    let events = 0
    for (let contact = 0; contact < contacts; contact++)
      for await (const page of store.read(`chat-${contactIdOf(contact)}`)) events += (await codec.decode(page)).length
    return events
  }
  const polls: Record<string, number[]> = { idle: [], 'while hours are tried': [], 'while a flow is tried': [] }
  const polling = async <Result>(when: string, work: () => Promise<Result>): Promise<Result> => {
    let isOver = false
    const loop = (async () => {
      while (!isOver) {
        polls[when]?.push((await timed(() => other.get('/api/whatsapp/contacts'))).ms)
        await delay(pollMs)
      }
    })()
    const result = await work()
    isOver = true
    await loop
    return result
  }

  const alone: number[] = []
  const walks: Record<string, Walk[]> = { hours: [], flow: [] }
  for (let round = 0; round < rounds; round++) {
    alone.push((await timed(readAlone)).ms / 1000)
    await polling('idle', () => delay(3000))
    const tried = () => walk(asking, '/api/opening-hours/what-if', hours)
    walks.hours?.push(await polling('while hours are tried', tried))
    const replayed = () => walk(asking, `/api/flows/${flow.id}/replay`, { document: questionFlow('pedido') })
    walks.flow?.push(await polling('while a flow is tried', replayed))
  }
  const reference = median(alone)
  console.log(
    `${messages} messages of ${contacts} contacts in ${days} days, stored in ${(stored.ms / 1000).toFixed(0)} s, shown after ${(caughtUp.ms / 1000).toFixed(0)} s; ` +
      `their chats read and decoded alone: ${reference.toFixed(2)} s; load ${loadavg()[0]?.toFixed(0)}`,
  )
  console.table(
    Object.entries(walks).map(([what, all]) => {
      const seconds = median(all.map((each) => each.seconds))
      const parts = all.flatMap((each) => each.parts)
      return {
        what,
        seconds: Number(seconds.toFixed(2)),
        'times reading alone': Number((seconds / reference).toFixed(2)),
        'messages a second': Math.round(messages / seconds),
        parts: all[0]?.parts.length,
        'a part p50 ms': Math.round(quantile(parts, 0.5)),
        'max ms': Math.round(Math.max(...parts)),
        records: all[0]?.last.done,
      }
    }),
  )
  console.table(
    Object.entries(polls).map(([when, all]) => ({
      "another tenant's list": when,
      'p50 ms': Number(quantile(all, 0.5).toFixed(1)),
      'p99 ms': Number(quantile(all, 0.99).toFixed(1)),
    })),
  )
} finally {
  stop.abort()
  await store.close()
  await pool.end()
  await product.remove()
  await whatsapp.stop()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(0)
