import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../observability/log.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { tcpProxy } from '../../testing/tcp-proxy.ts'
import { until } from '../../testing/until.ts'
import { browserSessions } from '../sign-in/browser-sessions.ts'
import { endedSessions } from './ended-sessions.ts'

it('a session that ends while the connection for notifications hangs is known to have ended, long before ten seconds', async () => {
  const database = await kernelDatabase()
  onTestFinished(database.drop)
  const proxy = await tcpProxy(Number(new URL(database.url).port))
  onTestFinished(proxy.close)
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const databaseUrl = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(proxy.port) }).href
  const ended = endedSessions({ pool: database.pool, databaseUrl, log: silentLog(), signal: stopping.signal })
  await until(() => ended.isCurrent())
  const { sessionId, token } = await browserSessions(database.pool).issue(randomUUID())
  expect(await ended.hasEnded(sessionId)).toBe(false)
  proxy.freeze()
  await browserSessions(database.pool).revoke(token)
  await until(() => ended.hasEnded(sessionId), 4000)
  // New connections work: what was missed is caught up.
  await until(() => ended.isCurrent())
  expect(ended.endedLately(sessionId)).toBe(true)
})
