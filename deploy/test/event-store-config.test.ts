import { hasEvents } from '@prosa/kernel/event-store/postgres/has-events'
import { freePort } from '@prosa/kernel/free-port'
import { silentLog } from '@prosa/kernel/observability/log'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { describe, expect, it } from 'vitest'

const urlOf = (EVENTSTORE_URL: string) => readConfig('development', { EVENTSTORE_URL }).eventStoreUrl

describe('EVENTSTORE_URL', () => {
  it.each([
    'esdb://127.0.0.1:2113?tls=false',
    'esdb://admin:changeit@db.example.com:2113',
    'esdb+discover://admin:changeit@cluster.example.com?nodePreference=leader',
  ])('finds where the log is: %s', (url) => expect(urlOf(url)).toBe(url))

  it('leaves the log in PostgreSQL when it is silent', () => {
    expect(readConfig('development', {}).eventStoreUrl).toBeUndefined()
    expect(urlOf('')).toBeUndefined()
  })

  it.each(['127.0.0.1:2113', 'http://127.0.0.1:2113', 'esdb://', 'esdb://a b'])(
    'reports what is wrong with "%s"',
    (url) => {
      expect(() => urlOf(url)).toThrow(/EVENTSTORE_URL: is an address such as esdb:\/\/user:password@host:2113/)
    },
  )

  it('needs a user where TLS is used, and does not repeat a password', () => {
    expect(() => urlOf('esdb://db.example.com:2113')).toThrow('EVENTSTORE_URL: names no user')
    expect(() => urlOf('http://admin:changeit@host')).not.toThrow('changeit')
  })
})

describe('a database whose events are in PostgreSQL', () => {
  it('is not started with an empty EventStoreDB: nothing is asked of it, nothing is changed', async () => {
    const database = await testPostgres()
    const masterSecret = Buffer.alloc(32, 7)
    const settings = { databaseUrl: database.url, masterSecret, log: silentLog(), readSide, services: [] }
    // Nobody listens there.
    const eventStoreUrl = `esdb://127.0.0.1:${await freePort()}?tls=false`
    const tables = () => database.pool.query("select count(*) from pg_tables where schemaname <> 'pg_catalog'")
    try {
      const ports = await openPorts(settings)
      await ports.close()
      expect(await hasEvents(database.url)).toBe(false)
      await database.pool.query(
        `insert into es.event values (1, 'user-a', 0, gen_random_uuid(), 'UserRegistered', '{}', '{}')`,
      )
      const before = (await tables()).rows
      await expect(openPorts({ ...settings, eventStoreUrl })).rejects.toThrow(
        /^The events of this database are in PostgreSQL, and EVENTSTORE_URL names an EventStoreDB/,
      )
      expect((await tables()).rows).toEqual(before)
      await (await openPorts(settings)).close()
    } finally {
      await database.drop()
    }
  })
})
