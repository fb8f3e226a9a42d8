import type { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tcpProxy } from '../testing/tcp-proxy.ts'
import { isUnreachable } from './is-unreachable.ts'
import { openPool, transaction } from './pool.ts'
import { testPostgres } from './testing.ts'
import { withoutTimeout } from './without-timeout.ts'

const database = async () => {
  const { url, pool, drop } = await testPostgres()
  onTestFinished(drop)
  return { url, pool }
}

const cutConnections = (pool: Pool, name: string) =>
  pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()',
    [name],
  )

describe('a pool', () => {
  it('names the application', async () => {
    const { pool } = await database()
    expect((await pool.query("select current_setting('application_name') as name")).rows).toEqual([{ name: 'prosa' }])
  })

  it('leaves PostgreSQL to plan as it does by itself, unless it is asked otherwise', async () => {
    const { url, pool } = await database()
    const byIndex = openPool(url, { prefersIndexes: true })
    onTestFinished(() => byIndex.end())
    const planning = async (over: Pool) =>
      (await over.query("select name, setting from pg_settings where name like 'enable_%' and setting <> boot_val"))
        .rows
    expect(await planning(pool)).toEqual([])
    expect(await planning(byIndex)).toEqual([{ name: 'enable_seqscan', setting: 'off' }])
  })

  it('reports a lost idle connection and serves the next query', async () => {
    const { url, pool: other } = await database()
    const lost: Error[] = []
    const pool = openPool(url, { onError: (error) => lost.push(error) })
    onTestFinished(() => pool.end())
    await pool.query('select 1')
    await cutConnections(other, 'prosa')
    await expect.poll(() => lost).toHaveLength(1)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

describe('a statement that is prepared', () => {
  it('finds rows by their key also in a table that was empty when it was planned, where it asks for that', async () => {
    const { url } = await database()
    const pool = openPool(url, { max: 1, prefersIndexes: true })
    onTestFinished(() => pool.end())
    await pool.query('create table row (key text primary key); analyze row')
    const find = async (keys: string[]) => {
      const text = 'select exists (select from row where key = any($1)) as found'
      return (await pool.query({ name: 'find', text, values: [keys] })).rows[0]?.found
    }
    // PostgreSQL caches a generic plan after five runs.
    for (let run = 0; run < 10; run++) expect(await find(['5000', 'none'])).toBe(false)
    await pool.query('insert into row select n::text from generate_series(1, 5000) n')
    expect(await find(['5000', 'none'])).toBe(true)
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query("select seq_tup_read from pg_stat_user_tables where relname = 'row'")
    expect(rows).toEqual([{ seq_tup_read: '0' }])
  })
})

describe('a pool over a connection that is half open', () => {
  const halfOpen = async () => {
    const { url, pool: other } = await database()
    const proxy = await tcpProxy(Number(new URL(url).port))
    const proxied = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href
    const pool = openPool(proxied, { max: 1, answerMs: 1000 })
    onTestFinished(async () => {
      await pool.end()
      await proxy.close()
    })
    return { proxy, pool, other }
  }

  it('fails the statement that hangs, as one whose outcome is unknown, and serves the next', async () => {
    const { proxy, pool } = await halfOpen()
    await pool.query('select 1')
    proxy.freeze()
    const error = await pool.query('select 1').catch((failure: unknown) => failure)
    expect(isUnreachable(error)).toBe(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('fails the transaction that hangs, once, and serves the next', async () => {
    const { proxy, pool, other } = await halfOpen()
    await other.query('create table row (n int)')
    const hanging = transaction(pool, async (client) => {
      await client.query('insert into row values (1)')
      proxy.freeze()
      await client.query('insert into row values (2)')
    })
    await expect(hanging).rejects.toThrow('Query read timeout')
    expect((await pool.query('select n from row')).rows).toEqual([])
  })

  it('does not cut a statement that may take long', async () => {
    const { pool } = await halfOpen()
    const [first] = (await pool.query(withoutTimeout('select $1::text as echo from pg_sleep(1.5)', 'done'))).rows
    expect(first).toEqual({ echo: 'done' })
  })
})

describe('a transaction', () => {
  it('that is left open without a word is ended by the server, and whoever waited for its locks goes on', async () => {
    const { url, pool: other } = await database()
    await other.query('create table row (n int)')
    await other.query('insert into row values (1)')
    const pool = openPool(url, { idleTransactionMs: 300 })
    onTestFinished(() => pool.end())
    let updated: Promise<unknown> = Promise.resolve()
    const left = transaction(pool, async (client) => {
      await client.query('update row set n = 2')
      updated = other.query('update row set n = n + 10')
      await updated
      await client.query('select 1')
    })
    await expect(left).rejects.toThrow()
    await updated
    expect((await pool.query('select n from row')).rows).toEqual([{ n: 11 }])
  })

  it('keeps everything or nothing', async () => {
    const { pool } = await database()
    await pool.query('create table row (n int)')
    expect(await transaction(pool, async (client) => (await client.query('insert into row values (1)')).rowCount)).toBe(
      1,
    )
    const refusal = new Error('refused')
    const failing = transaction(pool, async (client) => {
      await client.query('insert into row values (2)')
      throw refusal
    })
    await expect(failing).rejects.toBe(refusal)
    expect((await pool.query('select n from row')).rows).toEqual([{ n: 1 }])
  })

  it('throws the first error and gives the connection up when it was cut in between', async () => {
    const { url, pool: other } = await database()
    const pool = openPool(url, { max: 1 })
    onTestFinished(() => pool.end())
    const cut = transaction(pool, async (client) => {
      await cutConnections(other, 'prosa')
      await client.query('select 1')
    })
    await expect(cut).rejects.toThrow()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})
