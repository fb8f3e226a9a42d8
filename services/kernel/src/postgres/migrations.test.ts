import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../testing/until.ts'
import { DatabaseIsNewer, MigrationFailed, type MigrationSet, migrate, sqlMigration } from './migrations.ts'
import { type TestPostgres, testPostgres } from './testing.ts'

let database: TestPostgres

beforeEach(async () => {
  database = await testPostgres()
})
afterEach(() => database.drop())

const first = sqlMigration(
  '0001_tables',
  'create table if not exists shelf (name text primary key)',
  `create table if not exists book (title text primary key, about jsonb); comment on table book is 'what?'`,
)
const second = sqlMigration('0002_pages', 'alter table book add column pages int')
const library = (...migrations: MigrationSet['migrations']): MigrationSet => ({ package: 'library', migrations })
const cinema: MigrationSet = {
  package: 'cinema',
  migrations: [sqlMigration('0001_tables', 'create table film (title text primary key)')],
}

const tables = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
}

const onRecord = async () => {
  const { rows } = await database.pool.query<{ name: string }>('select name from migration order by id')
  return rows.map(({ name }) => name)
}

const columns = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'book'::regclass and attnum > 0 order by attnum`,
  )
  return rows.map(({ name }) => name)
}

describe('migrations', () => {
  it('run once each, in their order, and are on record by package', async () => {
    await migrate(database.url, [library(first), cinema])
    await migrate(database.url, [library(first, second), cinema])
    await migrate(database.url, [library(first, second), cinema])
    expect(await onRecord()).toEqual(['library/0001_tables', 'cinema/0001_tables', 'library/0002_pages'])
    expect(await columns()).toEqual(['title', 'about', 'pages'])
  })

  it('take SQL as it is, question marks too', async () => {
    await migrate(database.url, [library(first)])
    const { rows } = await database.pool.query(`select obj_description('book'::regclass) as comment`)
    expect(rows).toEqual([{ comment: 'what?' }])
  })

  it('take over the tables of the version before there were migrations, with their rows', async () => {
    await database.pool.query(
      `create table book (title text primary key, about jsonb); insert into book values ('Dom Casmurro')`,
    )
    await migrate(database.url, [library(first, second)])
    expect(await tables()).toEqual(['book', 'migration', 'migration_lock', 'shelf'])
    expect((await database.pool.query('select title, pages from book')).rows).toEqual([
      { title: 'Dom Casmurro', pages: null },
    ])
  })

  it('run once when several processes start at the same moment', async () => {
    let runs = 0
    const counted = {
      ...first,
      async up(...given: Parameters<typeof first.up>) {
        runs += 1
        await first.up(...given)
      },
    }
    await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, [library(counted, second)])))
    expect(runs).toBe(1)
    expect(await onRecord()).toEqual(['library/0001_tables', 'library/0002_pages'])
  })

  it('leave an empty database empty when one fails half-way', async () => {
    const failing = sqlMigration(
      '0002_pages',
      'alter table book add column pages int',
      'alter table book add column pages int',
    )
    const failed = migrate(database.url, [cinema, library(first, failing)])
    await expect(failed).rejects.toThrow(MigrationFailed)
    await expect(failed).rejects.toThrow('library/0002_pages')
    await expect(failed).rejects.toMatchObject({ cause: { code: '42701' } })
    expect(await tables()).toEqual([])
  })

  it('leave a database with data as it was when one fails half-way, and run once the fault is mended', async () => {
    await migrate(database.url, [library(first)])
    await database.pool.query(`insert into book values ('Dom Casmurro'), ('Iracema')`)
    const failing = sqlMigration(
      '0002_pages',
      'alter table book add column pages int; update book set pages = 100; drop table shelf',
      `update book set pages = 1 / (length(title) - 7)`,
    )
    await expect(migrate(database.url, [cinema, library(first, failing)])).rejects.toThrow(MigrationFailed)
    expect(await tables()).toEqual(['book', 'migration', 'migration_lock', 'shelf'])
    expect(await columns()).toEqual(['title', 'about'])
    expect(await onRecord()).toEqual(['library/0001_tables'])
    await migrate(database.url, [cinema, library(first, second)])
    expect(await onRecord()).toEqual(['library/0001_tables', 'cinema/0001_tables', 'library/0002_pages'])
    expect((await database.pool.query('select title from book')).rowCount).toBe(2)
  })

  it('refuse a database that a later version has changed, and leave it alone', async () => {
    await migrate(database.url, [library(first, second)])
    const refused = migrate(database.url, [cinema, library(first)])
    await expect(refused).rejects.toThrow(DatabaseIsNewer)
    await expect(refused).rejects.toThrow(/^This database belongs to a newer version of Prosa .*library\/0002_pages/)
    expect(await tables()).toEqual(['book', 'migration', 'migration_lock', 'shelf'])
  })

  it('leave the record of packages alone that this process does not have', async () => {
    await migrate(database.url, [cinema, library(first, second)])
    await migrate(database.url, [cinema])
    expect(await onRecord()).toEqual(['cinema/0001_tables', 'library/0001_tables', 'library/0002_pages'])
  })

  it('close the connection that they took', async () => {
    await migrate(database.url, [library(first)])
    await until(async () => {
      const { rows } = await database.pool.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      return rows.length === 0
    })
  })
})
