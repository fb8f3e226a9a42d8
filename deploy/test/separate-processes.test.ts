import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Message } from '@prosa/contracts/http/live-chat'
import { freePort } from '@prosa/kernel/free-port'
import { sessionTokenHeader } from '@prosa/kernel/http/authentication/session-token'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedCaddy } from '../src/cluster/caddy.ts'
import { keywordFlow } from './keyword-flow.ts'
import { isReady, startMain, startServiceProcesses } from './service-processes.ts'
import { type StartedName, startTokenGateway } from './token-gateway.ts'
import { Visitor } from './visitor.ts'

const statusOf = (messages: Message[], id: string) => messages.find((message) => message.id === id)?.status

/** Consumers start before producers, the first on an empty database. */
const backwards: StartedName[] = [
  'streams',
  'realtime',
  'sessions',
  'automation',
  'contacts',
  'billing',
  'identity',
  'projections',
]

const user = '/api/auth/user'
const within2s = 2000

const caddy = await installedCaddy()
const signedInBy = caddy
  ? `tokens behind Caddy ${caddy.version}`
  : 'cookies behind the local router: no Caddy is installed'

/** The WhatsApp network of the sandbox, and all services behind a gateway. */
const startAll = async () => {
  const database = await testPostgres()
  const whatsapp = new SandboxServer({ fewPreKeys: true })
  await whatsapp.start()
  const gateway = caddy && (await startTokenGateway(caddy, database.url, whatsapp.url, backwards))
  const services = gateway ?? (await startServiceProcesses(backwards, database.url, whatsapp.url))
  const remove = async () => {
    await services.remove()
    await whatsapp.stop()
    await database.drop()
  }
  return { whatsapp, services, direct: gateway?.direct, remove }
}

describe(`services, each started alone in a process of its own (${signedInBy})`, () => {
  let all: Awaited<ReturnType<typeof startAll>>
  let marina: Visitor
  let contactId: string
  beforeAll(async () => {
    all = await startAll()
  }, 240_000)
  afterAll(() => all?.remove())

  it('walk a message through every one of them', async () => {
    const { services, whatsapp } = all
    expect(new Set(services.pids).size).toBe(backwards.length)
    marina = await new Visitor(services.url).register()
    const account = await until(async () => {
      const found = await marina.get<User>(user)
      return found.subscriptionStatus === 'active' && found
    })
    expect(account.firstName).toBe('Marina')

    const shop = whatsapp.addPhone('5511900000001', 'Padaria Sol')
    const ana = whatsapp.addPhone('5511988776655', 'Ana')
    const connection = await marina.link(shop, 'Padaria')
    const socket = marina.socket()
    await until(() => socket.connected)
    const pushed = new Promise<{ contactId: string }>((resolve) => socket.once('whatsapp:new_message', resolve))
    await ana.sendText('5511900000001', 'Olá, vocês abrem domingo?')
    contactId = (await pushed).contactId
    expect(await marina.messages(contactId)).toMatchObject([{ content: 'Olá, vocês abrem domingo?' }])
    expect(await marina.contacts('waiting')).toMatchObject([{ id: contactId, name: 'Ana', unreadCount: 1 }])
    const accepted = await marina.ask('PATCH', `/api/whatsapp/contacts/${contactId}/status`, { status: 'attending' })
    expect(accepted.status).toBe(200)

    const received = ana.nextMessage((message) => message.text === 'Abrimos das 7h às 13h.')
    const { id } = await marina.send(connection.id, contactId, 'Abrimos das 7h às 13h.')
    expect((await received).id).toBe(id)
    ana.markRead(await received)
    await until(async () => statusOf(await marina.messages(contactId), id) === 'read')

    const flow = await marina.post<{ id: string }>('/api/flows', {
      name: 'Cardápio',
      document: keywordFlow('cardápio', 'Hoje: pão de queijo.'),
    })
    await marina.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
    const bia = whatsapp.addPhone('5511977665544', 'Bia')
    const answered = bia.nextMessage((message) => message.text === 'Hoje: pão de queijo.')
    await bia.sendText('5511900000001', 'cardápio')
    await answered
    socket.close()
  }, 120_000)

  describe.skipIf(!caddy)('with tokens', () => {
    let url: string
    let direct: Readonly<Record<StartedName, string>>
    let stranger: Visitor
    beforeAll(async () => {
      if (!all.direct) return
      url = all.services.url
      direct = all.direct
      stranger = await new Visitor(url).register()
      await until(async () => (await stranger.get<User>(user)).subscriptionStatus === 'active')
    })

    const statusAt = async (at: string, path: string, headers: Record<string, string> = {}) => {
      const reply = await fetch(at + path, { headers })
      await reply.arrayBuffer()
      return reply.status
    }
    /** As the gateway gets it. */
    const tokenOf = async (cookie: string | undefined) => {
      const reply = await fetch(`${direct.identity}/internal/authenticate`, { headers: { cookie: cookie ?? '' } })
      return { status: reply.status, token: reply.headers.get(sessionTokenHeader) ?? undefined }
    }
    const freshToken = async ({ cookie }: Visitor) => (await tokenOf(cookie)).token ?? ''

    it('show nothing of another account', async () => {
      const path = `/api/whatsapp/contacts/${contactId}/messages`
      expect(await statusAt(direct.projections, path, { [sessionTokenHeader]: await freshToken(marina) })).toBe(200)
      expect(await statusAt(direct.projections, path, { [sessionTokenHeader]: await freshToken(stranger) })).toBe(404)
    })

    it('know nobody who comes past the gateway with a cookie, and the gateway lets no token in', async () => {
      const token = await freshToken(marina)
      const cookie = marina.cookie ?? ''
      expect(await statusAt(direct.projections, user, { cookie })).toBe(401)
      expect(await statusAt(direct.projections, user, { [sessionTokenHeader]: token })).toBe(200)
      for (const name of [sessionTokenHeader, 'X-PROSA-SESSION', 'X-Prosa-Session'])
        expect(await statusAt(url, user, { [name]: token })).toBe(401)
      const forged = { cookie: '__Host-prosa=nobody', [sessionTokenHeader]: token }
      expect(await statusAt(url, user, forged)).toBe(401)
      for (const path of ['/internal/authenticate', '/internal/keys', '//internal/keys', '/%69nternal/keys'])
        expect([path, await statusAt(url, path, { cookie })]).toEqual([path, 404])
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
        expect(await statusAt(direct.projections, user, { [sessionTokenHeader]: forged })).toBe(401)
      expect(await statusAt(direct.projections, user, { [sessionTokenHeader]: 'x'.repeat(20_000) })).toBe(431)
    })

    it('let an ended session go within two seconds: its token, and its socket', async () => {
      const token = await freshToken(marina)
      const socket = marina.socket()
      await until(() => socket.connected)
      const withToken = { [sessionTokenHeader]: token }
      expect(await statusAt(direct.projections, user, withToken)).toBe(200)
      const cookie = marina.cookie ?? ''
      await marina.post('/api/auth/logout')
      await until(async () => (await statusAt(direct.projections, user, withToken)) === 401, within2s)
      await until(() => !socket.connected, within2s)
      expect(await statusAt(url, user, { cookie })).toBe(401)
      expect((await tokenOf(cookie)).token).toBeUndefined()
      for (const transports of [['polling'], ['websocket']]) {
        const extraHeaders = { cookie, ...withToken }
        const again = io(direct.realtime, { extraHeaders, transports, forceNew: true, reconnection: false })
        const refused = new Promise<Error>((resolve) => again.once('connect_error', resolve))
        expect(await refused).toMatchObject({ data: { type: 'not_signed_in' } })
        again.close()
      }
      socket.close()
    })

    it('serve visitors whatever their cookie is, and say 401 where a session is needed', async () => {
      for (const cookie of ['', '__Host-prosa=', '__Host-prosa=%zz', `__Host-prosa=${'x'.repeat(4000)}`]) {
        expect(await statusAt(url, '/api/public/kiwify-plans', { cookie })).toBe(200)
        expect(await statusAt(url, user, { cookie })).toBe(401)
        expect((await tokenOf(cookie)).status).toBe(204)
        const signIn = await fetch(`${url}/api/auth/login`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'ninguem@example.com', password: 'uma senha comprida' }),
        })
        expect(signIn.status).toBe(401)
        const report = async (url: string) =>
          (await fetch(`${url}/kiwify/payment/approved`, { method: 'POST', headers: { cookie } })).status
        expect([cookie, await report(url)]).toEqual([cookie, await report(direct.billing)])
      }
    })
  })

  it('end in order', async () => {
    const ended = caddy ? [...backwards, 'caddy'] : backwards
    expect(await all.services.stop()).toEqual(Object.fromEntries(ended.map((name) => [name, 0])))
  }, 60_000)
})

it('asks for the database and the secret that a service alone shares with the others', async () => {
  const child = await startMain('contacts', { PROSA_SECRET: 'ab'.repeat(32), PROSA_PORT: '0' })
  const [stderr, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
  expect(stderr.trim()).toBe(
    'One service alone shares database and secret with the others: set DATABASE_URL and PROSA_SECRET.',
  )
  expect(code).toBe(1)
}, 60_000)

/** `npm test` starts only the largest: the `main.ts` are alike, and the walk covers all eight. */
const alone: StartedName[] = shortOrLong(0, 1) === 1 ? backwards : ['sessions', 'projections']

it.each(alone)(
  'starts %s alone in production, and ends it in order',
  async (name) => {
    const database = await testPostgres()
    const port = await freePort()
    const child = await startMain(name, {
      DATABASE_URL: database.url,
      PROSA_SECRET: 'ab'.repeat(32),
      PROSA_PORT: String(port),
      LOG_LEVEL: 'fatal',
    })
    try {
      const ended = once(child, 'exit')
      await until(() => isReady(port))
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await database.drop()
    }
  },
  60_000,
)
