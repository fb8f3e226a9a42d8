import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { keepReadModels } from '@prosa/kernel/consumers/projections/keep-read-models'
import { at, idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { kernelMigrations } from '@prosa/kernel/migrations/kernel-migrations'
import { silentLog } from '@prosa/kernel/observability/log'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { readModels } from '@prosa/projections/projections'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { median } from './measure.ts'

/**
 * What a message costs the read models with the tables for analysts, against the same without them: statements, bytes of WAL, time until the chat
 * shows it. Answers with three ticks; in-memory log; rounds alternate; medians. Durable cluster.
 */
const messages = Number(process.argv[2] ?? 300)
const rounds = 5
const tenant = idOf('owner')

interface Cost {
  statements: number
  walBytes: number
  shownMs: number
}

const folder = await mkdtemp(join(tmpdir(), 'analytics-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder })

const walAt = async (pool: ReturnType<typeof openPool>): Promise<bigint> => {
  const { rows } = await pool.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`)
  return BigInt(rows[0]?.bytes ?? 0)
}

const round = async (models: typeof readModels): Promise<Cost> => {
  const admin = openPool(postgres.url)
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  await admin.query(`create database ${name}`)
  const url = postgres.url.replace(/\/[^/?]+(\?|$)/, `/${name}$1`)
  await migrate(url, [eventStoreMigrations, kernelMigrations])
  const [pool, writePool] = [openPool(url), openPool(url)]
  let statements = 0
  const query = writePool.query.bind(writePool)
  writePool.query = ((...values: Parameters<typeof query>) => {
    statements++
    return query(...values)
  }) as typeof writePool.query
  const { store, codec, append } = testLog()
  const stopping = new AbortController()
  const ports = { store, codec, pool, writePool, databaseUrl: url, log: silentLog(), clock: systemClock }
  const running = await keepReadModels(models, ports)
  const done = running.run(stopping.signal)
  const contacts = Array.from({ length: 20 }, (_, index) => idOf(`contact ${index}`))
  for (const contact of contacts)
    await append(tenant, `contact-${contact}`, {
      type: 'ContactAdded',
      data: { name: 'Bia', phone: null, lid: null, origin: 'message' },
    })
  const shownAt = async (model: { name: string; version: number }) => loadCheckpoint(pool, model.name, model.version)
  const all = models.filter(({ name }) => /chat-messages|contact-list|analytic-(messages|conversations)/.test(name))
  const allShow = async (position: string, of = all) => {
    for (const model of of) await until(async () => (await shownAt(model)) >= position)
  }
  let end = ''
  const write = async (number: number) => {
    const stream = `chat-${contacts[number % contacts.length]}`
    const messageId = `M${number}`
    const line = {
      messageId,
      connectionId: idOf('line'),
      content: { kind: 'text', text: 'Sim, até as 18 h.' } as const,
    }
    const began = performance.now()
    const position =
      number % 2 === 0
        ? await append(tenant, stream, { type: 'MessageReceived', data: { ...line, sentAt: at(number) } })
        : await append(tenant, stream, {
            type: 'MessageQueued',
            data: { ...line, toJid: '1@lid', attendantId: tenant },
          })
    const [chat] = all.filter(({ name: model }) => model === 'chat-messages')
    if (chat) await until(async () => (await shownAt(chat)) >= position)
    const ms = performance.now() - began
    let last = position
    if (number % 2 === 1)
      for (const type of ['MessageSent', 'MessageDelivered', 'MessageRead'] as const)
        last = await append(tenant, stream, { type, data: { messageId } })
    // Ticks change no conversation: that table's checkpoint passes them after a second.
    await allShow(
      last,
      all.filter(({ name: model }) => model !== 'analytic-conversations'),
    )
    end = last
    return ms
  }
  for (let number = 0; number < 20; number++) await write(number)
  await allShow(end)
  await pool.query('checkpoint')
  const [before, counted] = [await walAt(pool), statements]
  const shown: number[] = []
  for (let number = 20; number < 20 + messages; number++) shown.push(await write(number))
  await allShow(end)
  const walBytes = Number((await walAt(pool)) - before) / messages
  const cost = { statements: (statements - counted) / messages, walBytes, shownMs: median(shown) }
  stopping.abort()
  await done
  await Promise.all([pool.end(), writePool.end(), admin.end()])
  return cost
}

const without = readModels.filter(({ name }) => !name.startsWith('analytic-'))
const costs: Record<'without' | 'with', Cost[]> = { without: [], with: [] }
for (let number = 0; number < rounds; number++) {
  costs.without.push(await round(without))
  costs.with.push(await round(readModels))
}
for (const unit of ['statements', 'walBytes', 'shownMs'] as const) {
  const [before, after] = [costs.without, costs.with].map((all) => median(all.map((each) => each[unit])))
  console.log(
    `${unit} a message: ${after?.toFixed(1)} with the tables, ${before?.toFixed(1)} without: ${((after ?? 0) / (before ?? 1)).toFixed(2)} times`,
  )
}
await postgres.stop()
await rm(folder, { recursive: true })
