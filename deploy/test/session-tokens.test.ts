import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Message } from '@prosa/contracts/http/live-chat'
import { sessionTokenHeader } from '@prosa/kernel/http/authentication/session-token'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedCaddy } from '../src/cluster/caddy.ts'
import { startTokenGateway, type TokenGateway } from './token-gateway.ts'
import { Visitor } from './visitor.ts'

const caddy = await installedCaddy()
const within2s = 2000
const title = caddy ? `services behind Caddy ${caddy.version}` : 'services behind Caddy (skipped: none is installed)'

describe.skipIf(!caddy)(title, () => {
  let database: Awaited<ReturnType<typeof testPostgres>>
  let whatsapp: SandboxServer
  let gateway: TokenGateway
  let marina: Visitor
  let stranger: Visitor
  beforeAll(async () => {
    if (!caddy) return
    database = await testPostgres()
    whatsapp = new SandboxServer({ fewPreKeys: true })
    await whatsapp.start()
    gateway = await startTokenGateway(caddy, database.url, whatsapp.url)
    marina = await signedUp()
    stranger = await signedUp()
  }, 120_000)
  afterAll(async () => {
    await gateway?.remove()
    await whatsapp?.stop()
    await database?.drop()
  })

  const statusAt = async (url: string, path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(url + path, { headers })
    await reply.arrayBuffer()
    return reply.status
  }
  const user = '/api/auth/user'
  /** As the gateway gets it. */
  const tokenOf = async (cookie: string | undefined) => {
    const reply = await fetch(`${gateway.direct.identity}/internal/authenticate`, {
      headers: { cookie: cookie ?? '' },
    })
    return { status: reply.status, token: reply.headers.get(sessionTokenHeader) ?? undefined }
  }
  const signedUp = async () => {
    const visitor = await new Visitor(gateway.url).register()
    await until(async () => (await visitor.get<User>(user)).subscriptionStatus === 'active')
    return visitor
  }
  const freshToken = async ({ cookie }: Visitor) => (await tokenOf(cookie)).token ?? ''

  it('carry a message in and out, and a push to the browser', async () => {
    const shop = whatsapp.addPhone('5511900000001', 'Padaria Sol')
    const ana = whatsapp.addPhone('5511988776655', 'Ana')
    const connection = await marina.link(shop, 'Padaria')
    const socket = marina.socket()
    await until(() => socket.connected)
    const pushed = new Promise<{ contactId: string }>((resolve) => socket.once('whatsapp:new_message', resolve))
    await ana.sendText('5511900000001', 'Olá, vocês abrem domingo?')
    const { contactId } = await pushed
    await marina.ask('PATCH', `/api/whatsapp/contacts/${contactId}/status`, { status: 'attending' })
    const received = ana.nextMessage((message) => message.text === 'Abrimos das 7h às 13h.')
    const { id } = await marina.send(connection.id, contactId, 'Abrimos das 7h às 13h.')
    expect((await received).id).toBe(id)
    ana.markRead(await received)
    const isRead = ({ id: own, status }: Message) => own === id && status === 'read'
    await until(async () => (await marina.messages(contactId)).some(isRead))

    const path = `/api/whatsapp/contacts/${contactId}/messages`
    expect(await statusAt(gateway.direct.projections, path, { [sessionTokenHeader]: await freshToken(stranger) })).toBe(
      404,
    )
    socket.close()
  }, 60_000)

  it('know nobody who comes past the gateway with a cookie, and the gateway lets no token in', async () => {
    const token = await freshToken(marina)
    const cookie = marina.cookie ?? ''
    expect(await statusAt(gateway.direct.projections, user, { cookie })).toBe(401)
    expect(await statusAt(gateway.direct.projections, user, { [sessionTokenHeader]: token })).toBe(200)
    for (const name of [sessionTokenHeader, 'X-PROSA-SESSION', 'X-Prosa-Session'])
      expect(await statusAt(gateway.url, user, { [name]: token })).toBe(401)
    const forged = { cookie: '__Host-prosa=nobody', [sessionTokenHeader]: token }
    expect(await statusAt(gateway.url, user, forged)).toBe(401)
    for (const path of ['/internal/authenticate', '/internal/keys', '//internal/keys', '/%69nternal/keys'])
      expect([path, await statusAt(gateway.url, path, { cookie })]).toEqual([path, 404])
  })

  it('refuse forged and huge tokens', async () => {
    const token = await freshToken(marina)
    const [head, body = '', signature] = token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const otherBody = (await freshToken(stranger)).split('.')[1]
    const forgeries = [
      `${none}.${body}.`,
      `${head}.${otherBody}.${signature}`,
      `${head}.${body}`,
      'x',
      '.'.repeat(8000),
    ]
    for (const forged of forgeries)
      expect(await statusAt(gateway.direct.projections, user, { [sessionTokenHeader]: forged })).toBe(401)
    expect(await statusAt(gateway.direct.projections, user, { [sessionTokenHeader]: 'x'.repeat(20_000) })).toBe(431)
  })

  it('let an ended session go within two seconds: its token, and its socket', async () => {
    const token = await freshToken(marina)
    const socket = marina.socket()
    await until(() => socket.connected)
    const withToken = { [sessionTokenHeader]: token }
    expect(await statusAt(gateway.direct.projections, user, withToken)).toBe(200)
    const cookie = marina.cookie ?? ''
    await marina.post('/api/auth/logout')
    await until(async () => (await statusAt(gateway.direct.projections, user, withToken)) === 401, within2s)
    await until(() => !socket.connected, within2s)
    expect(await statusAt(gateway.url, user, { cookie })).toBe(401)
    expect((await tokenOf(cookie)).token).toBeUndefined()
    for (const transports of [['polling'], ['websocket']]) {
      const extraHeaders = { cookie, ...withToken }
      const again = io(gateway.direct.realtime, { extraHeaders, transports, forceNew: true, reconnection: false })
      const refused = new Promise<Error>((resolve) => again.once('connect_error', resolve))
      expect(await refused).toMatchObject({ data: { type: 'not_signed_in' } })
      again.close()
    }
    socket.close()
  })

  it('serve visitors whatever their cookie is, and say 401 where a session is needed', async () => {
    for (const cookie of ['', '__Host-prosa=', '__Host-prosa=%zz', `__Host-prosa=${'x'.repeat(4000)}`]) {
      expect(await statusAt(gateway.url, '/api/public/kiwify-plans', { cookie })).toBe(200)
      expect(await statusAt(gateway.url, user, { cookie })).toBe(401)
      expect((await tokenOf(cookie)).status).toBe(204)
      const signIn = await fetch(`${gateway.url}/api/auth/login`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ninguem@example.com', password: 'uma senha comprida' }),
      })
      expect(signIn.status).toBe(401)
      const report = async (url: string) =>
        (await fetch(`${url}/kiwify/payment/approved`, { method: 'POST', headers: { cookie } })).status
      expect([cookie, await report(gateway.url)]).toEqual([cookie, await report(gateway.direct.billing)])
    }
  })

  it('end in order', async () => {
    const codes = await gateway.stop()
    expect(new Set(Object.values(codes))).toEqual(new Set([0]))
  }, 60_000)
})
