import { randomBytes, randomUUID } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { leaseKeeper } from '../../leases/lease-keeper.ts'
import { releaseLeases, renewLeases } from '../../leases/queries.ts'
import { sessionMigrations } from '../../migrations/session-migrations.ts'
import { keyWriter } from './key-writer.ts'
import { type CredentialsHolder, type KeyWrite, readKeys, replaceCredentials } from './queries.ts'

let database: TestPostgres

beforeAll(async () => {
  database = await kernelDatabase(sessionMigrations)
})
afterAll(() => database.drop())

const withLease = async (connectionId: string = randomUUID()): Promise<CredentialsHolder> => {
  const keeper = leaseKeeper({ pool: database.pool, log: silentLog(), leaseMs: 60_000 })
  await keeper.announce([connectionId])
  const [lease] = await keeper.takeFree(1)
  if (!lease) throw new Error('no lease')
  const holder = { connectionId: lease.connectionId, generation: 0, token: lease.token }
  await replaceCredentials(database.pool, holder, randomBytes(8))
  return holder
}

const writeOf = (holder: CredentialsHolder, ...bytes: number[]): KeyWrite => ({
  holder,
  keys: bytes.map((byte) => ({ type: 'session', fingerprint: Buffer.from([byte]), encrypted: Buffer.from([byte]) })),
})
const storedOf = async ({ connectionId }: CredentialsHolder, ...bytes: number[]) =>
  (
    await readKeys(
      database.pool,
      connectionId,
      'session',
      bytes.map((byte) => Buffer.from([byte])),
    )
  ).length

const statements = () => {
  const { pool } = database
  const query = pool.query
  let count = 0
  pool.query = ((...given: unknown[]) => {
    count++
    return (query as (...args: unknown[]) => unknown).apply(pool, given)
  }) as typeof pool.query
  onTestFinished(() => {
    pool.query = query
  })
  return () => count
}

it('writes what many lines have at the same time in one statement, and each line’s own order after each other', async () => {
  const holders = [await withLease(), await withLease(), await withLease()]
  const writer = keyWriter(database.pool)
  const asked = statements()
  const [first] = holders
  if (!first) throw new Error('no line')
  const changed = (byte: number): KeyWrite => ({
    holder: first,
    keys: [{ type: 'session', fingerprint: Buffer.from([1]), encrypted: Buffer.from([byte]) }],
  })
  const writes = [...holders.map((holder) => writer.write(writeOf(holder, 1, 2))), writer.write(changed(9))]
  expect(await Promise.all(writes)).toEqual([true, true, true, true])
  expect(asked()).toBe(2)
  for (const holder of holders) expect(await storedOf(holder, 1, 2)).toBe(2)
  const [key] = await readKeys(database.pool, first.connectionId, 'session', [Buffer.from([1])])
  expect(key?.encrypted).toEqual(Buffer.from([9]))
})

it('refuses the line whose lease is another’s, and writes the others', async () => {
  const [mine, theirs] = [await withLease(), await withLease()]
  const writer = keyWriter(database.pool)
  const lost = { ...theirs, token: '0' }
  expect(await Promise.all([writer.write(writeOf(lost, 1)), writer.write(writeOf(mine, 1))])).toEqual([false, true])
  expect([await storedOf(theirs, 1), await storedOf(mine, 1)]).toEqual([0, 1])
})

it('fails alone with what the database refuses', async () => {
  const [mine, theirs] = [await withLease(), await withLease()]
  const writer = keyWriter(database.pool)
  const poison: KeyWrite = {
    holder: theirs,
    keys: [{ type: '\u0000', fingerprint: Buffer.from([1]), encrypted: Buffer.from([1]) }, ...writeOf(theirs, 2).keys],
  }
  const [refused, written] = await Promise.allSettled([writer.write(poison), writer.write(writeOf(mine, 1))])
  expect([refused.status, written.status]).toEqual(['rejected', 'fulfilled'])
  expect([await storedOf(theirs, 2), await storedOf(mine, 1)]).toEqual([0, 1])
})

it.each([
  ['whoever prolongs leases', (holders: CredentialsHolder[]) => renewLeases(database.pool, holders, 60_000)],
  ['whoever gives leases back', (holders: CredentialsHolder[]) => releaseLeases(database.pool, holders)],
])('%s locks them in the order of who writes keys, so that nobody waits in a circle', async (_, lockBoth) => {
  const ids = [randomUUID(), randomUUID()].toSorted()
  const [second, first] = [await withLease(ids[1]), await withLease(ids[0])]
  const other = await database.pool.connect()
  const lock = ({ connectionId }: CredentialsHolder) =>
    other.query('select from connection_lease where connection_id = $1 for update', [connectionId])
  try {
    await other.query('begin')
    await lock(first)
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    const both = lockBoth([second, first])
    await until(async () => {
      const waiting = await database.pool.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
        rows[0]?.pid,
      ])
      return waiting.rowCount
    })
    await lock(second)
    await other.query('commit')
    await both
  } finally {
    other.release()
  }
})
