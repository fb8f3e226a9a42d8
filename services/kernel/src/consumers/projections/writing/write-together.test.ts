import type { Pool } from 'pg'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { beginning, type Position } from '../../../event-store/port.ts'
import type { TestPostgres } from '../../../postgres/testing.ts'
import { kernelDatabase } from '../../../testing/kernel-database.ts'
import { until } from '../../../testing/until.ts'
import { checkpointChannel, loadCheckpoint } from '../../engine/checkpoints.ts'
import { prepareReadModel } from '../prepare-read-model.ts'
import type { Projection } from '../projection.ts'
import type { Change } from '../queries.ts'
import { rowsText } from '../table.ts'
import { type WriteTogether, writeTogether } from './write-together.ts'

interface Noted {
  id: string
  note: string
}

const model = (name: string): Projection<Noted> => ({
  name,
  version: 1,
  categories: ['contact'],
  table: { name, key: 'id', columns: { id: 'text collate "C"', note: 'text not null' } },
  on: {},
})
const positionOf = (n: number) => String(n).padStart(19, '0') as Position

describe('projections that write together', () => {
  let postgres: TestPostgres
  let together: WriteTogether
  let statements: string[]
  const [first, second, third] = ['first', 'second', 'third'].map(model) as [
    Projection<Noted>,
    Projection<Noted>,
    Projection<Noted>,
  ]
  beforeEach(async () => {
    await postgres?.drop()
    postgres = await kernelDatabase()
    for (const each of [first, second, third]) await prepareReadModel(postgres.pool, each)
    statements = []
    const query = postgres.pool.query.bind(postgres.pool) as (...all: unknown[]) => unknown
    const counting = Object.assign(Object.create(postgres.pool) as Pool, {
      query(...all: unknown[]) {
        statements.push('one')
        return query(...all)
      },
    })
    together = writeTogether(counting)
  })
  afterAll(() => postgres.drop())

  const change = (
    { name, table }: Projection<Noted>,
    rows: Noted[],
    given: Partial<Change> & { absent?: string[] } = {},
  ): Change => {
    const { absent = [], ...takeSettled } = given
    const text = rowsText(table, rows)
    return {
      name,
      version: 1,
      expected: beginning,
      upTo: positionOf(1),
      tenants: ['ana'],
      rows: { table, text, absent },
      ...takeSettled,
    }
  }
  const notes = async ({ table }: Projection<Noted>) =>
    (await postgres.pool.query<Noted>(`select id, note from ${table.name} order by id`)).rows
  const reached = ({ name }: Projection<Noted>) => loadCheckpoint(postgres.pool, name, 1)

  it('need one statement for what is asked in one turn, and move each checkpoint with its rows', async () => {
    const written = await Promise.all([
      together.write(change(first, [{ id: 'a', note: 'one' }])),
      together.write(change(second, [{ id: 'b', note: 'two\0' }])),
      together.write({ ...change(third, []), rows: undefined }),
    ])
    expect(written).toEqual([true, true, true])
    expect(statements).toHaveLength(1)
    expect([await notes(first), await notes(second)]).toEqual([
      [{ id: 'a', note: 'one' }],
      [{ id: 'b', note: 'two\uFFFD' }],
    ])
    expect(await Promise.all([first, second, third].map(reached))).toEqual([
      positionOf(1),
      positionOf(1),
      positionOf(1),
    ])
  })

  it('write nothing for one whose checkpoint stands elsewhere, or whose new row is there, and all for the others', async () => {
    await together.write(change(first, [{ id: 'a', note: 'one' }]))
    await together.write(change(second, [{ id: 'b', note: 'two' }]))
    const next = { expected: positionOf(1), upTo: positionOf(2) }
    const written = await Promise.all([
      together.write(change(first, [{ id: 'a', note: 'late' }], { upTo: positionOf(2) })),
      together.write(
        change(
          second,
          [
            { id: 'b', note: 'anew' },
            { id: 'c', note: 'x' },
          ],
          { ...next, absent: ['c', 'b'] },
        ),
      ),
      together.write(change(third, [{ id: 'd', note: 'three' }], { absent: ['d'] })),
    ])
    expect(written).toEqual([false, false, true])
    expect(await notes(first)).toEqual([{ id: 'a', note: 'one' }])
    expect(await notes(second)).toEqual([{ id: 'b', note: 'two' }])
    expect(await notes(third)).toEqual([{ id: 'd', note: 'three' }])
    expect(await Promise.all([first, second, third].map(reached))).toEqual([
      positionOf(1),
      positionOf(1),
      positionOf(1),
    ])
  })

  it('do not fail with one that the database refuses', async () => {
    const refused = change(second, [])
    const writes = await Promise.allSettled([
      together.write(change(first, [{ id: 'a', note: 'one' }])),
      together.write({ ...refused, rows: { table: second.table, text: '[{"id":"b","note":null}]', absent: [] } }),
      together.write(change(third, [{ id: 'd', note: 'three' }])),
    ])
    expect(writes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await Promise.all([first, second, third].map(reached))).toEqual([positionOf(1), beginning, positionOf(1)])
  })

  it('of one projection come one after the other', async () => {
    const written = await Promise.all([
      together.write(change(first, [{ id: 'a', note: 'one' }])),
      together.write(change(first, [{ id: 'a', note: 'two' }], { expected: positionOf(1), upTo: positionOf(2) })),
    ])
    expect(written).toEqual([true, true])
    expect(await notes(first)).toEqual([{ id: 'a', note: 'two' }])
  })

  it('notify readers of those that moved, and of no other', async () => {
    const received: string[] = []
    const listener = await postgres.pool.connect()
    onTestFinished(() => listener.release(true))
    listener.on('notification', ({ payload }) => received.push(payload ?? ''))
    await listener.query(`listen ${checkpointChannel}`)
    await Promise.all([
      together.write(change(first, [], { expected: positionOf(7) })),
      together.write(change(second, [{ id: 'b', note: 'two' }])),
    ])
    await until(() => received.length > 0)
    await listener.query('select 1')
    expect(received.map((payload) => JSON.parse(payload))).toMatchObject([
      { name: 'second', version: 1, position: positionOf(1), changed: ['ana'] },
    ])
  })
})
