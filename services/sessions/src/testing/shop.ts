import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { streamName } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { type EventStore, EventStoreUnavailable } from '@prosa/kernel/event-store/port'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/kernel/testing/test-ports'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import type { Device } from '@prosa/sandbox/server/directory'
import { type SandboxOptions, SandboxServer } from '@prosa/sandbox/server/server'
import { trustRoot } from '@prosa/sandbox/wire/trust'
import { sessions } from '../sessions.ts'
import type { SessionTimings } from '../timings.ts'
import { readQrCode } from './read-qr-code.ts'

const fast: Partial<SessionTimings> = {
  firstBackoff: 30,
  longestBackoff: 200,
  acknowledgement: 500,
  poll: 100,
  logout: 2000,
}

export interface Reply {
  status: number
  body: { id: string; status?: string; type?: string; qrDeadline?: string | null }
}

/** A business with the real service, a real PostgreSQL and a sandbox of WhatsApp. */
export interface Shop {
  server: SandboxServer
  ports: TestPorts
  /** 5511900000001: the number that gets linked. */
  phone: Phone
  /** 5511900000002: a contact. */
  ana: Phone
  user: string
  /** Appends fail while this is true. */
  cutOff: boolean
  /** Starts the service, also beside one that runs: as another process would. */
  start(changes?: Partial<SessionTimings>): Promise<Host>
  call(method: 'POST' | 'DELETE', path: string, body?: object, user?: string | null): Promise<Reply>
  add(name?: string): Promise<string>
  /** The picture to scan, once there is one that is not `old`. */
  picture(connectionId: string, old?: string): Promise<string>
  /** Adds a connection and links it to the phone. */
  link(): Promise<{ connectionId: string; device: Device }>
  connectionLog(connectionId: string): Promise<Stored[]>
  /** Types of the connection's events. */
  connectionEvents(connectionId: string): Promise<string[]>
  lineEvents(connectionId: string): Promise<Stored[]>
  /** Texts that arrived, with how; `after` so many events of the line. */
  texts(connectionId: string, after?: number): Promise<string[]>
  /** Queues a text as the contacts service would. Answers ids of message and contact. */
  queue(connectionId: string, text: string, toJid?: string): Promise<QueuedText>
  /** Queues the same message once more, as a person does who tries again. */
  queueAgain(queued: QueuedText): Promise<void>
  /** Types of the line's events about one message, with status or code. */
  fate(connectionId: string, messageId: string): Promise<string[]>
  opened(connectionId: string, times?: number): Promise<void>
  /** What the service's health page says is wrong. */
  health(): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface QueuedText {
  connectionId: string
  text: string
  toJid: string
  messageId: string
  contactId: string
}

/** The log outlives the hosts of a test, and can be cut off from them. */
const interruptible = (store: EventStore, isCutOff: () => boolean): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (isCutOff()) throw new EventStoreUnavailable('cut off by the test')
    return store.append(stream, expected, events)
  },
  close: async () => undefined,
})

export const openShop = async (options: SandboxOptions = {}, timings: Partial<SessionTimings> = {}): Promise<Shop> => {
  const server = new SandboxServer({ fewPreKeys: true, ...options })
  await server.start()
  const restoreTrust = trustRoot(server.rootPublicKey)
  const log = memoryEventStore()
  const ports = await testPorts({ store: interruptible(log, () => shop.cutOff) })
  const hosts = new Set<Host>()
  let latest: Host | undefined

  const shop: Shop = {
    server,
    ports,
    phone: server.addPhone('5511900000001', 'Padaria Sol'),
    ana: server.addPhone('5511900000002', 'Ana'),
    user: randomUUID(),
    cutOff: false,

    async start(changes = {}) {
      const service = sessions({
        webSocketUrl: server.url,
        production: false,
        timings: { ...fast, ...timings, ...changes },
      })
      const started = await host([service], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
      const running: Host = {
        ...started,
        async stop() {
          hosts.delete(running)
          await started.stop()
        },
      }
      hosts.add(running)
      latest = running
      return running
    },

    async call(method, path, body, user = shop.user) {
      if (!latest) throw new Error('start() comes first')
      const cookies: Record<string, string> = {}
      if (user !== null) cookies[sessionCookie] = (await ports.browserSessions.issue(user)).token
      const url = `/api/whatsapp/connections${path}`
      const reply = await latest.app.inject({ method, url, cookies, ...(body && { payload: body }) })
      return { status: reply.statusCode, body: reply.json() }
    },

    async add(name = 'Balcão') {
      const { status, body } = await shop.call('POST', '', { name })
      if (status !== 201) throw new Error(`not added: ${status}`)
      return body.id
    },

    picture: (connectionId, old) =>
      until(async () => {
        const picture = await ports.secrets.get('qr', connectionId)
        return picture !== old && picture
      }),

    async link() {
      const connectionId = await shop.add()
      const device = await shop.phone.scan(readQrCode(await shop.picture(connectionId)))
      await shop.opened(connectionId)
      await until(() => !device.awaitsFirstSync && device.inbox.size === 0)
      return { connectionId, device }
    },

    async connectionLog(connectionId) {
      const events = await everythingIn(ports.store, 'connection')
      return events.filter(({ stream }) => stream === streamName('connection', connectionId))
    },
    connectionEvents: async (connectionId) => (await shop.connectionLog(connectionId)).map(({ type }) => type),

    async lineEvents(connectionId) {
      const events = await everythingIn(ports.store, 'line')
      return events.filter(({ stream }) => stream === streamName('line', connectionId))
    },

    async texts(connectionId, after = 0) {
      const texts: string[] = []
      for (const event of (await shop.lineEvents(connectionId)).slice(after)) {
        if (event.type !== 'MessageArrived') continue
        const { content, via, fromMe } = event.data
        texts.push(`${fromMe ? 'me' : 'contact'} ${via} ${content.kind === 'text' ? content.text : content.type}`)
      }
      return texts
    },

    async queue(connectionId, text, toJid = shop.ana.account.jid('lid')) {
      const messageId = `3EB0${randomUUID().replaceAll('-', '').toUpperCase().slice(0, 18)}`
      const queued = { connectionId, text, toJid, messageId, contactId: randomUUID() }
      await shop.queueAgain(queued)
      return queued
    },

    async queueAgain({ connectionId, text, toJid, messageId, contactId }) {
      const event: AnyEvent = {
        type: 'MessageQueued',
        data: { messageId, connectionId, toJid, content: { kind: 'text', text }, attendantId: shop.user },
      }
      const metadata = {
        causationId: 'test',
        correlationId: `correlation of ${messageId}`,
        actor: { kind: 'user' as const, id: shop.user },
        owner: shop.user,
        recordedAt: ports.clock.now(),
      }
      const stream = streamName('chat', contactId)
      const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
      let revision: bigint | 'no_stream' = 'no_stream'
      for await (const page of log.read(stream)) revision = page.at(-1)?.revision ?? revision
      const appended = await log.append(stream, revision, encoded)
      if (!appended.ok) throw new Error('not queued')
    },

    async fate(connectionId, messageId) {
      const fate: string[] = []
      for (const event of await shop.lineEvents(connectionId)) {
        if (event.type === 'MessageDispatched' && event.data.messageId === messageId) fate.push('dispatched')
        if (event.type === 'DeliveryReported' && event.data.messageId === messageId) fate.push(event.data.status)
        if (event.type === 'DispatchFailed' && event.data.messageId === messageId)
          fate.push(`failed ${event.data.code}`)
      }
      return fate
    },

    async opened(connectionId, times = 1) {
      await until(async () => {
        const events = await shop.connectionEvents(connectionId)
        return events.filter((type) => type === 'LineOpened').length >= times && events.at(-1) === 'LineOpened'
      })
    },

    async health() {
      const reply = await latest?.app.inject({ method: 'GET', url: '/health/ready' })
      return reply?.json().trouble ?? {}
    },

    async close() {
      shop.cutOff = false
      for (const running of hosts) await running.stop()
      await server.stop()
      restoreTrust()
      await ports.close()
    },
  }
  return shop
}
