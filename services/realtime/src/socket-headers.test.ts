import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { rawSecurityHeaders } from '@prosa/kernel/http/security-headers'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idOf, testRealtime } from './testing/test-realtime.ts'

const everywhere = { ...rawSecurityHeaders(false), 'cache-control': 'no-store' }
const foreign = { origin: 'https://evil.example' }

describe('the security headers of sockets', () => {
  let prosa: Awaited<ReturnType<typeof testRealtime>>
  let cookie: string
  const open: Socket[] = []
  beforeAll(async () => {
    prosa = await testRealtime(60_000, { trustProxy: true })
    cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(idOf('ana'))).token}`
  })
  afterAll(async () => {
    for (const socket of open) socket.destroy()
    await prosa.stop()
  })

  const address = (query: string) => `${prosa.url}/socket.io/?EIO=4&${query}`
  const poll = async (query: string, more: RequestInit = {}) => {
    const reply = await fetch(address(`transport=polling${query}`), {
      ...more,
      headers: { cookie, ...(more.headers as Record<string, string>) },
    })
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() }
  }
  const upgrade = async (query: string, more: Record<string, string> = {}) => {
    const asked = request(address(`transport=websocket${query}`), {
      headers: {
        ...{ cookie, connection: 'Upgrade', upgrade: 'websocket' },
        ...{ 'sec-websocket-version': '13', 'sec-websocket-key': Buffer.alloc(16, 7).toString('base64') },
        ...more,
      },
    })
    asked.end()
    const [reply, socket] = (await Promise.race([once(asked, 'upgrade'), once(asked, 'response')])) as [
      IncomingMessage,
      Socket | undefined,
    ]
    if (socket) open.push(socket)
    return { status: reply.statusCode, headers: reply.headers, body: socket ? '' : await text(reply) }
  }

  it('stand on handshakes and polls', async () => {
    const handshake = await poll('')
    expect(handshake).toMatchObject({ status: 200, headers: everywhere })
    const { sid } = JSON.parse(handshake.body.slice(1)) as { sid: string }
    expect(await poll(`&sid=${sid}`, { method: 'POST', body: '40' })).toMatchObject({
      status: 200,
      headers: everywhere,
    })
    expect(await poll(`&sid=${sid}`)).toMatchObject({ status: 200, headers: everywhere })
  })

  it('stand on what a WebSocket begins with', async () =>
    expect(await upgrade('')).toMatchObject({ status: 101, headers: everywhere }))

  it.each<[string, number, () => Promise<{ status: number | undefined; headers: object; body: string }>]>([
    ['a poll of nobody', 400, () => poll('&sid=nobody')],
    ['a poll from another site’s page', 403, () => poll('', { headers: foreign })],
    ['a poll by a method there is not', 400, () => poll('', { method: 'DELETE' })],
    ['an upgrade of nobody', 400, () => upgrade('&sid=nobody')],
    ['an upgrade from another site’s page', 403, () => upgrade('', foreign)],
  ])('stand on the refusal of %s, which is no page', async (_, status, ask) => {
    const reply = await ask()
    expect(reply).toMatchObject({ status, headers: { ...everywhere, 'content-type': 'application/json' } })
    expect(JSON.parse(reply.body)).toMatchObject({ message: expect.any(String) })
  })

  it('keep browsers on https that came over it, as the proxy says', async () => {
    const overTls = { 'strict-transport-security': 'max-age=31536000' }
    const https = { 'x-forwarded-proto': 'https' }
    expect(await poll('', { headers: https })).toMatchObject({ headers: overTls })
    expect(await upgrade('', https)).toMatchObject({ status: 101, headers: overTls })
    expect(await upgrade('', { ...https, ...foreign })).toMatchObject({ status: 403, headers: overTls })
    expect((await poll('')).headers).not.toHaveProperty('strict-transport-security')
  })
})
