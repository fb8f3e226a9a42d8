import { randomBytes, randomUUID } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { leaseKeeper } from '../leases/lease-keeper.ts'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { outbox } from './outbox.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase(sessionMigrations)
})
afterAll(() => database.drop())

it('a line whose connection another process has taken neither takes messages out of line nor settles them', async () => {
  const { pool } = database
  const messages = outbox(pool, secretBox(randomBytes(32)))
  const keeper = leaseKeeper({ pool, log: silentLog(), leaseMs: 60_000 })
  const connectionId = randomUUID()
  await messages.add({
    connectionId,
    messageId: '3EB0AA',
    contactId: randomUUID(),
    tenant: 'somebody',
    toJid: '1@lid',
    work: { kind: 'message', content: { kind: 'text', text: 'oi' }, secret: Buffer.alloc(32).toString('base64') },
    position: '1',
    eventId: randomUUID(),
    correlationId: 'test',
  })
  await keeper.announce([connectionId])
  const [before] = await keeper.takeFree(1)
  const old = messages.under(before?.token ?? '')
  expect((await old.first(connectionId))?.messageId).toBe('3EB0AA')
  await pool.query('update connection_lease set expires_at = clock_timestamp()')
  const other = leaseKeeper({ pool, log: silentLog(), leaseMs: 60_000 })
  await other.announce([connectionId])
  const [after] = await other.takeFree(1)

  expect(await old.first(connectionId)).toBeUndefined()
  await old.settle(connectionId, '3EB0AA', 'failed')
  const now = messages.under(after?.token ?? '')
  expect((await now.first(connectionId))?.messageId).toBe('3EB0AA')
  await now.settle(connectionId, '3EB0AA', 'dispatched')
  expect((await messages.find(connectionId, '3EB0AA'))?.state).toBe('dispatched')
})
