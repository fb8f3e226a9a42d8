import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '../../../postgres/pool.ts'
import type { TestPostgres } from '../../../postgres/testing.ts'
import { kernelDatabase } from '../../../testing/kernel-database.ts'
import { createTable, loadRows, type Table } from '../table.ts'
import { ColumnUndeclared, serveOldRows } from './serve-old-rows.ts'

interface OldShop {
  id: string
  name: string
}
interface Shop extends OldShop {
  line: string | null
  isClosed: boolean
  labels: string[]
  nickname: string | null
}

const oldTable: Table<OldShop> = {
  name: 'shop',
  key: 'id',
  columns: { id: 'text collate "C"', name: 'text not null' },
}
const table: Table<Shop> = {
  ...oldTable,
  columns: {
    ...oldTable.columns,
    line: 'text not null',
    isClosed: 'boolean not null',
    labels: `jsonb not null default '["none"]'`,
    nickname: 'text',
  },
  added: {
    line: { notKnownYet: true },
    isClosed: { was: 'true' },
    labels: { was: `'[]'` },
    nickname: { was: `'shop'` },
  },
}

describe('rows of a version that did not have some columns', () => {
  let postgres: TestPostgres
  beforeEach(async () => {
    postgres = await kernelDatabase()
    await transaction(postgres.pool, (db) => createTable(db, oldTable))
    await postgres.pool.query(`insert into shop (id, name) values ('a', 'Padaria')`)
  })
  afterEach(() => postgres.drop())

  const serve = (declared: Table<Shop>) => transaction(postgres.pool, (db) => serveOldRows(db, declared))
  const shown = async (key: string) => (await loadRows(postgres.pool, table, [key])).get(key)
  const asOld = { line: null, isClosed: true, labels: [], nickname: 'shop' }

  it('show null in those that are not known yet, and what is true of them in the others', async () => {
    await serve(table)
    expect(await shown('a')).toEqual({ id: 'a', name: 'Padaria', ...asOld })
  })

  it('go on being written by a process of that version, which does not name those columns', async () => {
    await serve(table)
    await postgres.pool.query(`insert into shop (id, name) values ('b', 'Oficina')`)
    expect(await shown('b')).toEqual({ id: 'b', name: 'Oficina', ...asOld })
  })

  it('are served again and again, by every process that starts', async () => {
    await serve(table)
    await serve(table)
    expect(await shown('a')).toEqual({ id: 'a', name: 'Padaria', ...asOld })
  })

  it('are not served with a column that nobody declared, nor changed', async () => {
    await expect(serve({ ...table, added: { ...table.added, line: undefined } })).rejects.toThrow(ColumnUndeclared)
    const { rows } = await postgres.pool.query('select * from shop')
    expect(rows).toEqual([{ id: 'a', name: 'Padaria' }])
  })

  it('are not served where a column became required without a declaration, whatever they hold', async () => {
    await postgres.pool.query('alter table shop add column line text')
    await expect(serve({ ...table, added: { ...table.added, line: undefined } })).rejects.toThrow(ColumnUndeclared)
    await serve(table)
    expect(await shown('a')).toMatchObject({ line: null })
  })
})
