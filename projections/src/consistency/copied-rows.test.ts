import { copyRows } from '@prosa/kernel/consumers/projections/rebuild/copy-rows'
import { addKey, createBareTable, upsertRows } from '@prosa/kernel/consumers/projections/table'
import { anyValueOf } from '@prosa/kernel/consumers/testing/any-column'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readModels } from '../projections.ts'

let postgres: TestPostgres
let db: PoolClient
beforeAll(async () => {
  postgres = await kernelDatabase()
  db = await postgres.pool.connect()
})
afterAll(async () => {
  db.release()
  await postgres.drop()
})

describe.each(readModels)('the rows of $name', ({ table }) => {
  it('are the same, whether they are copied or inserted, whatever they hold', async () => {
    const [inserted, copied] = ['inserted', 'copied'].map((kind) => ({ ...table, name: `${table.name}_${kind}` }))
    if (!inserted || !copied) throw new Error('two were made')
    for (const made of [inserted, copied]) await createBareTable(db, made)
    await addKey(db, inserted)
    const anyRow = fc.record(
      Object.fromEntries(Object.entries(table.columns).map(([field, type]) => [field, anyValueOf(type)])),
    )
    const storedIn = async ({ name }: { name: string }) => {
      const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`)
      return rows.map(({ row }) => row).sort()
    }
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 6 }), async (values) => {
        const rows = values.map((row, index) => ({ ...row, [table.key]: `${index}` }))
        await db.query(`truncate ${inserted.name}, ${copied.name}`)
        await upsertRows(db, inserted, rows)
        await copyRows(db, copied, [rows])
        expect(await storedIn(copied)).toEqual(await storedIn(inserted))
      }),
      { numRuns: 12 },
    )
  })
})
