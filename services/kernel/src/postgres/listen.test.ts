import type { Pool } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tcpProxy } from '../testing/tcp-proxy.ts'
import { listen } from './listen.ts'
import { testPostgres } from './testing.ts'

const database = async () => {
  const { url, pool, drop } = await testPostgres()
  onTestFinished(drop)
  return { url, pool }
}

const cutConnections = (pool: Pool) =>
  pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'prosa-listen'",
  )

const connections = async (pool: Pool) => {
  const { rows } = await pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'prosa-listen'",
  )
  return rows.length
}

describe('listening', () => {
  const listening = async () => {
    const { url, pool } = await database()
    const received: (string | undefined)[] = []
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    listen(url, 'updates', (payload) => received.push(payload), stop.signal)
    await expect.poll(() => received).toEqual([undefined])
    const notify = (text: string) => pool.query("select pg_notify('updates', $1)", [text])
    return { pool, received, stop, notify }
  }

  it('begins with a call without payload and then hands on each one', async () => {
    const { received, notify } = await listening()
    await notify('a')
    await notify('')
    await expect.poll(() => received).toEqual([undefined, 'a', ''])
  })

  it('listens again after its connection was cut, and reports it once', async () => {
    const { pool, received, notify } = await listening()
    await cutConnections(pool)
    await vi.waitFor(() => expect(received).toEqual([undefined, undefined]), { timeout: 5000 })
    await notify('b')
    await expect.poll(() => received).toEqual([undefined, undefined, 'b'])
  })

  it('closes its connection when its signal aborts', async () => {
    const { pool, stop } = await listening()
    stop.abort()
    await expect.poll(() => connections(pool)).toBe(0)
  })

  it('shares one connection among all channels, each of which receives its own only, until the last one stops', async () => {
    const { url, pool } = await database()
    const received: string[] = []
    const stops = ['first', 'second', 'second again'].map((name) => {
      const stop = new AbortController()
      onTestFinished(() => stop.abort())
      const [channel = ''] = name.split(' ')
      listen(url, channel, (payload = 'begins') => received.push(`${name}: ${payload}`), stop.signal)
      return stop
    })
    const late = new AbortController()
    onTestFinished(() => late.abort())
    await expect.poll(() => received).toEqual(['first: begins', 'second: begins', 'second again: begins'])
    listen(url, 'late', (payload = 'begins') => received.push(`late: ${payload}`), late.signal)
    await expect.poll(() => received.at(-1)).toBe('late: begins')
    expect(await connections(pool)).toBe(1)

    received.length = 0
    stops[1]?.abort()
    await pool.query("select pg_notify('first', 'a'), pg_notify('second', 'b'), pg_notify('late', 'c')")
    await expect.poll(() => received).toEqual(['first: a', 'second again: b', 'late: c'])
    received.length = 0
    await cutConnections(pool)
    await expect.poll(() => received).toEqual(['first: begins', 'second again: begins', 'late: begins'])
    for (const stop of [...stops, late]) stop.abort()
    await expect.poll(() => connections(pool)).toBe(0)
  })

  it('reports that it lost its connection before it listens again, also when the network only fell silent', async () => {
    const { url, pool } = await database()
    const proxy = await tcpProxy(Number(new URL(url).port))
    const stop = new AbortController()
    onTestFinished(async () => {
      stop.abort()
      await proxy.close()
    })
    const received: (string | undefined)[] = []
    const proxied = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href
    const onLost = () => received.push('lost')
    listen(proxied, 'updates', (payload) => received.push(payload), stop.signal, { onLost, heartbeatMs: 500 })
    await vi.waitFor(() => expect(received).toEqual([undefined]), { timeout: 5000 })
    proxy.freeze()
    await pool.query("select pg_notify('updates', 'missed')")
    await vi.waitFor(() => expect(received).toEqual([undefined, 'lost', undefined]), { timeout: 8000 })
  })
})
