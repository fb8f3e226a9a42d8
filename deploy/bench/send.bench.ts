import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { startProduct } from '../test/product.ts'
import { type Measured, measure, median } from './measure.ts'

/**
 * A message over HTTP until it is accepted, by 1 and 16 callers, with and without the database lookup of entitlements. Nothing is sent: the
 * number is replaced.
 */
const rounds = 8
const roundMs = 1500
const callerCounts = [1, 16]

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
const pool = openPool(server.url)
const database = { url: server.url, pool, drop: () => pool.end() }
const product = await startProduct({ planRules: noPlanRules, database })
try {
  const { ports } = product
  const visitor = await product.visitor().register()
  const { id: tenant } = await visitor.get<{ id: string }>('/api/auth/user')
  const connectionId = randomUUID()
  const stream = `connection-${connectionId}`
  const facts: AnyEvent[] = [
    { type: 'ConnectionAdded', data: { name: 'Loja', network: 'simulator' } },
    { type: 'NumberLinked', data: { phone: '5511900000001', lid: null, pushName: null } },
    { type: 'ConnectionReplaced', data: {} },
  ]
  const about = {
    causationId: 'bench',
    correlationId: 'bench',
    actor: { kind: 'system', id: 'bench' } as const,
    tenant,
  }
  const metadata = { ...about, recordedAt: ports.clock.now() }
  const events = await ports.codec.encode(facts.map((event) => ({ id: randomUUID(), stream, event, metadata })))
  await ports.store.append(stream, 'no_stream', events)
  await until(async () => (await visitor.get<Connection[]>('/api/whatsapp/connections')).length === 1)

  // Created in advance: a new contact costs more than a message.
  const contactIds: string[] = []
  for (let person = 0; person < Math.max(...callerCounts); person++)
    contactIds.push(
      (await visitor.post<Contact>('/api/whatsapp/contacts', { phone: `55119${87_000_000 + person}` })).id,
    )
  let callers = 0
  const send = () => {
    const contactId = contactIds[callers++ % contactIds.length]
    return async () => {
      await visitor.post('/api/whatsapp/send-message', { connectionId, contactId, message: 'Seu pedido saiu.' })
    }
  }
  const asked = { ...ports.entitlements }
  const known = await asked.of(tenant)
  const kinds = { 'as it is': asked.of, 'known without asking': async () => known }

  const runs: ({ callers: number; kind: string; round: number } & Measured)[] = []
  for (let round = -1; round < rounds; round++)
    for (const callers of callerCounts)
      for (const [kind, of] of Object.entries(kinds)) {
        Object.assign(ports.entitlements, { of })
        runs.push({ callers, kind, round, ...(await measure(callers, roundMs, send)) })
      }
  const counted = runs.filter(({ round }) => round >= 0)
  const figures = (callers: number, kind: string) =>
    counted.filter((run) => run.callers === callers && run.kind === kind)
  console.log(`Messages per second, ${rounds} rounds of ${roundMs} ms each; node ${process.version}`)
  console.table(
    callerCounts.flatMap((callers) =>
      Object.keys(kinds).map((kind) => ({
        callers,
        kind,
        'per second': Math.round(median(figures(callers, kind).map(({ rate }) => rate))),
        'p50 ms': Number(median(figures(callers, kind).map(({ p50 }) => p50)).toFixed(2)),
        'p99 ms': Number(median(figures(callers, kind).map(({ p99 }) => p99)).toFixed(2)),
      })),
    ),
  )
} finally {
  await product.stop()
  await database.drop()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
