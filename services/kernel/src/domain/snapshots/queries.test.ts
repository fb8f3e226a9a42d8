import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { postgresTable } from './queries.ts'
import { snapshotTableContract } from './snapshot-table.contract.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

snapshotTableContract('postgres', () => postgresTable(database.pool))

it('of snapshots older than a day only the newest is kept, from which the day can be folded', async () => {
  const table = postgresTable(database.pool)
  const of = { stream: `contact-${randomUUID()}`, decider: 'test', version: 1 }
  const lineage = randomUUID()
  const write = (revision: bigint, follows: string | undefined) =>
    table.write(of, {
      revision,
      follows,
      lineage,
      subjectKey: randomUUID(),
      state: Buffer.from('state'),
      entries: [],
      keepsHistory: true,
    })
  await write(9n, undefined)
  await write(19n, lineage)
  await database.pool.query(`update stream_snapshot set saved_at = now() - interval '26 hours' where stream = $1`, [
    of.stream,
  ])
  await write(29n, lineage)
  await write(39n, lineage)
  const { rows } = await database.pool.query<{ revision: string }>(
    'select revision from stream_snapshot where stream = $1 order by revision',
    [of.stream],
  )
  expect(rows.map(({ revision }) => revision)).toEqual(['19', '29', '39'])
})
