import { readConfig } from '@prosa/product/process/config'
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
