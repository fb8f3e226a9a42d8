import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import { streamName } from '@prosa/contracts/streams'
import type { MessageContent, MessageFile } from '@prosa/contracts/values/message-content'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import type { Phone } from '@prosa/sandbox/phone/phone'
import type { Device } from '@prosa/sandbox/server/directory'
import { type SandboxOptions, SandboxServer } from '@prosa/sandbox/server/server'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { selfSignedCertificate } from '@prosa/sandbox/wire/self-signed-certificate'
import { trustRoot } from '@prosa/sandbox/wire/trust'
import { mediaHandler } from '../media/media-handler.ts'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { sessions } from '../sessions.ts'
import type { SessionTimings } from '../timings.ts'
import { fastTimings } from './fast-timings.ts'
import { readQrCode } from './read-qr-code.ts'

export interface Reply {
  status: number
  body: { id: string; token?: string; status?: string; type?: string; qrDeadline?: string | null }
}

export interface Shop {
  server: SandboxServer
  ports: TestPorts
  /** 5511900000001: the number to link. */
  phone: Phone
  ana: Phone
  user: string
  /** Appends fail while true. */
  cutOff: boolean
  start(changes?: Partial<SessionTimings>): Promise<Host>
  call(method: 'POST' | 'DELETE', path: string, body?: object, user?: string | null): Promise<Reply>
  request(method: 'POST' | 'DELETE', url: string, body?: object, user?: string | null): Promise<Reply>
  add(name?: string): Promise<string>
  picture(connectionId: string, old?: string): Promise<string>
  link(): Promise<{ connectionId: string; device: Device }>
  connectionLog(connectionId: string): Promise<Stored[]>
  connectionEvents(connectionId: string): Promise<string[]>
  lineEvents(connectionId: string): Promise<Stored[]>
  /** Skips `after` events. */
  texts(connectionId: string, after?: number): Promise<string[]>
  /** One contact for each address, because order holds only for a contact. */
  queue(connectionId: string, text: string, toJid?: string): Promise<QueuedText>
  queueContent(
    connectionId: string,
    content: MessageContent,
    to?: { toJid?: string; contactId?: string },
  ): Promise<Queued>
  lookAt(connectionId: string, messageIds: readonly string[]): Promise<void>
  react(connectionId: string, reaction: { messageId: string; toOwn: boolean; emoji: string | null }): Promise<string>
  /** null deletes. Returns the correction's id. */
  correct(queued: Queued, content: MessageContent | null, until?: string | null): Promise<string>
  upload(bytes: Buffer, mediaType: string): Promise<MessageFile>
  queueAgain(queued: QueuedText): Promise<void>
  fate(connectionId: string, messageId: string): Promise<string[]>
  opened(connectionId: string, times?: number): Promise<void>
  metrics(): Promise<Record<string, number>>
  health(): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface Queued {
  connectionId: string
  toJid: string
  messageId: string
  contactId: string
}

export interface QueuedText extends Queued {
  text: string
}

const wordsOf = (content: MessageContent) => {
  if (content.kind === 'text') return content.text
  return content.kind === 'unsupported' ? content.type : content.kind
}

const newMessageId = () => `3EB0${randomUUID().replaceAll('-', '').toUpperCase().slice(0, 18)}`

/** The log outlives the hosts of a test, and appends can be made to fail. */
const interruptible = (store: EventStore, isCutOff: () => boolean): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (isCutOff()) throw new StoreUnavailable('cut off by the test')
    return store.append(stream, expected, events)
  },
  close: async () => undefined,
})

type Base = Pick<Shop, 'server' | 'ports' | 'phone' | 'ana' | 'user' | 'cutOff'>
type Part<K extends keyof Shop> = Pick<Shop, K>

const chatAppender = (shop: Base, log: EventStore) => async (contactId: string, id: string, event: AnyEvent) => {
  const { ports } = shop
  const metadata = {
    causationId: 'test',
    correlationId: `correlation of ${id}`,
    actor: { kind: 'user' as const, id: shop.user },
    tenant: shop.user,
    recordedAt: ports.clock.now(),
  }
  const stream = streamName('chat', contactId)
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  let appended = await log.append(stream, 'no_stream', encoded)
  while (!appended.ok) appended = await log.append(stream, appended.actual, encoded)
}

type AppendToChat = ReturnType<typeof chatAppender>

/** Messages and corrections on their way out. */
const chats = (
  shop: Base,
  appendToChat: AppendToChat,
): Part<'queue' | 'queueContent' | 'queueAgain' | 'lookAt' | 'react' | 'correct'> => {
  const { ports } = shop
  const contactIds = new Map<string, string>()
  const queueContent: Shop['queueContent'] = async (
    connectionId,
    content,
    { toJid = shop.ana.account.jid('lid'), contactId = randomUUID() } = {},
  ) => {
    const messageId = newMessageId()
    const data = { messageId, connectionId, toJid, content, attendantId: shop.user }
    await appendToChat(contactId, messageId, { type: 'MessageQueued', data })
    return { connectionId, toJid, messageId, contactId }
  }
  return {
    queueContent,
    async queue(connectionId, text, toJid = shop.ana.account.jid('lid')) {
      const contactId = contactIds.get(toJid) ?? randomUUID()
      contactIds.set(toJid, contactId)
      return { ...(await queueContent(connectionId, { kind: 'text', text }, { toJid, contactId })), text }
    },

    async queueAgain({ connectionId, text, toJid, messageId, contactId }) {
      const data = { messageId, connectionId, toJid, content: { kind: 'text' as const, text }, attendantId: shop.user }
      await appendToChat(contactId, messageId, { type: 'MessageQueued', data })
    },

    async lookAt(connectionId, messageIds) {
      const contactId = randomUUID()
      const content = { kind: 'text' as const, text: '' }
      for (const messageId of messageIds) {
        const data = { messageId, connectionId, content, sentAt: ports.clock.now() }
        await appendToChat(contactId, messageId, { type: 'MessageReceived', data })
      }
      await appendToChat(contactId, contactId, { type: 'ChatSeen', data: { attendantId: shop.user } })
    },

    async react(connectionId, reaction) {
      const reactionId = newMessageId()
      const toJid = shop.ana.account.jid('lid')
      const data = { ...reaction, reactionId, connectionId, toJid, attendantId: shop.user }
      await appendToChat(randomUUID(), reactionId, { type: 'ReactionQueued', data })
      return reactionId
    },

    async correct({ connectionId, toJid, messageId, contactId }, content, until = null) {
      const correctionId = newMessageId()
      const now = ports.clock.now()
      const data = { messageId, connectionId, toJid, until, attendantId: shop.user }
      const event: AnyEvent = content
        ? { type: 'EditQueued', data: { ...data, editId: correctionId, content, editedAt: now } }
        : { type: 'DeletionQueued', data: { ...data, deletionId: correctionId, deletedAt: now } }
      await appendToChat(contactId, correctionId, event)
      return correctionId
    },
  }
}

const uploader =
  (shop: Base): Shop['upload'] =>
  async (bytes, mediaType) => {
    const { ports } = shop
    const mediaId = randomUUID()
    const stored = await ports.files.put(mediaFileName(shop.user, mediaId), Readable.from([bytes]), bytes.length)
    const context = {
      commandId: mediaId,
      causationId: mediaId,
      correlationId: mediaId,
      actor: { kind: 'user' as const, id: shop.user },
      tenant: shop.user,
    }
    const data = { ...stored, contactId: null, mediaType }
    const outcome = await mediaHandler(ports)(mediaId, { type: 'StoreMedia', data }, context)
    if (!outcome.ok) throw new Error(`not stored: ${outcome.rejected}`)
    return { id: mediaId, mediaType, bytes: bytes.length, source: null }
  }

/** Events of lines and connections. */
const readings = ({
  ports,
}: Base): Part<'connectionLog' | 'connectionEvents' | 'lineEvents' | 'texts' | 'fate' | 'opened'> => {
  const connectionLog: Shop['connectionLog'] = async (connectionId) => {
    const events = await everythingIn(ports.store, 'connection')
    return events.filter(({ stream }) => stream === streamName('connection', connectionId))
  }
  const connectionEvents: Shop['connectionEvents'] = async (connectionId) =>
    (await connectionLog(connectionId)).map(({ type }) => type)
  const lineEvents: Shop['lineEvents'] = async (connectionId) => {
    const events = await everythingIn(ports.store, 'line')
    return events.filter(({ stream }) => stream === streamName('line', connectionId))
  }
  return {
    connectionLog,
    connectionEvents,
    lineEvents,

    async texts(connectionId, after = 0) {
      const texts: string[] = []
      for (const event of (await lineEvents(connectionId)).slice(after)) {
        if (event.type !== 'MessageArrived') continue
        const { content, via, fromMe } = event.data
        texts.push(`${fromMe ? 'me' : 'contact'} ${via} ${wordsOf(content)}`)
      }
      return texts
    },

    async fate(connectionId, messageId) {
      const fate: string[] = []
      for (const event of await lineEvents(connectionId)) {
        if (event.type === 'MessageDispatched' && event.data.messageId === messageId) fate.push('dispatched')
        if (event.type === 'DeliveryReported' && event.data.messageId === messageId) fate.push(event.data.status)
        if (event.type === 'DispatchFailed' && event.data.messageId === messageId)
          fate.push(`failed ${event.data.code}`)
      }
      return fate
    },

    async opened(connectionId, times = 1) {
      await until(async () => {
        const events = await connectionEvents(connectionId)
        return events.filter((type) => type === 'LineOpened').length >= times && events.at(-1) === 'LineOpened'
      })
    },
  }
}

type Running = { latest: Host | undefined; all: Set<Host> }

const requests = (shop: Base, running: Running): Part<'call' | 'request' | 'add' | 'metrics' | 'health'> => {
  const { ports } = shop
  const request: Shop['request'] = async (method, url, body, user = shop.user) => {
    const { latest } = running
    if (!latest) throw new Error('start() comes first')
    const cookies: Record<string, string> = {}
    if (user !== null) cookies[sessionCookie] = (await ports.browserSessions.issue(user)).token
    const reply = await latest.app.inject({ method, url, cookies, ...(body && { payload: body }) })
    return { status: reply.statusCode, body: reply.json() }
  }
  const call: Shop['call'] = (method, path, body, user) =>
    request(method, `/api/whatsapp/connections${path}`, body, user)
  return {
    request,
    call,

    async add(name = 'Balcão') {
      const { status, body } = await call('POST', '', { name })
      if (status !== 201) throw new Error(`not added: ${status}`)
      return body.id
    },

    async metrics() {
      const reply = await running.latest?.app.inject({ method: 'GET', url: '/metrics' })
      const lines = (reply?.body ?? '').matchAll(/^(\w+) (\S+)$/gm)
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
    },

    async health() {
      const reply = await running.latest?.app.inject({ method: 'GET', url: '/health/ready' })
      return reply?.json().trouble ?? {}
    },
  }
}

/** With a `sharedSecret` the log is in PostgreSQL too, for other processes. */
export const openShop = async (
  options: SandboxOptions = {},
  timings: Partial<SessionTimings> = {},
  sharedSecret?: Uint8Array,
): Promise<Shop> => {
  const server = new SandboxServer({ fewPreKeys: true, certificate: selfSignedCertificate(), ...options })
  const uploads = loopbackUploadAgent()
  await server.start()
  const restoreTrust = trustRoot(server.rootPublicKey)
  const given = await testPorts({ migrations: [sessionMigrations], masterSecret: sharedSecret })
  const log = sharedSecret ? await postgresEventStore({ url: given.databaseUrl }) : given.store
  const budgets = { ...given.budgets, connectionsPerTenant: 1000, linkingPerTenant: 1000, linkingPerProcess: 1000 }
  const ports = { ...given, budgets, store: interruptible(log, () => base.cutOff) }
  const running: Running = { latest: undefined, all: new Set() }
  const base: Base = {
    server,
    ports,
    phone: server.addPhone('5511900000001', 'Padaria Sol'),
    ana: server.addPhone('5511900000002', 'Ana'),
    user: randomUUID(),
    cutOff: false,
  }
  const shop: Shop = Object.assign(base, {
    ...chats(base, chatAppender(base, log)),
    upload: uploader(base),
    ...readings(base),
    ...requests(base, running),

    async start(changes: Partial<SessionTimings> = {}) {
      const service = sessions({
        networks: [{ name: 'simulator', webSocketUrl: server.url }],
        production: false,
        simulatorUploads: uploads,
        timings: { ...fastTimings, ...timings, ...changes },
      })
      const started = await host([service], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
      const begun: Host = {
        ...started,
        async stop() {
          running.all.delete(begun)
          await started.stop()
        },
      }
      running.all.add(begun)
      running.latest = begun
      return begun
    },

    picture: (connectionId: string, old?: string) =>
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

    async close() {
      shop.cutOff = false
      for (const each of running.all) await each.stop()
      await server.stop()
      uploads.destroy()
      restoreTrust()
      await log.close()
      await ports.close()
    },
  })
  return shop
}
