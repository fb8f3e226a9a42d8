import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { WebhookCall, WebhookSettings } from '@prosa/contracts/http/webhooks'
import type { Category } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { createApp } from '@prosa/kernel/http/app'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import type { Ports } from '@prosa/product/ports'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { webhookMigrations } from '../../migrations/webhook-migrations.ts'
import { type WebhookSettings as ServiceSettings, webhooksAt } from '../webhooks-service.ts'

export const receivedType = 'prosa.contacts.message-received.v1'
export const resolvedType = 'prosa.contacts.conversation-resolved.v1'
export const [ana, bia] = [deriveId('test', 'ana'), deriveId('test', 'bia')]
const connectionId = deriveId('test', 'connection')

export const contactOf = (name: string): string => deriveId('test contact', name)

/** The service over a log in memory with real encryption, its own database, and a clock that only the test moves. */
export const webhookScene = async (settings: ServiceSettings = {}) => {
  let now = Date.UTC(2026, 10, 27, 3)
  const clock = { now: () => new Date(now).toISOString() }
  const given = await testPorts({ migrations: [webhookMigrations], clock })
  const ports: TestPorts = {
    ...given,
    codec: eventCodec({ personal: personalEncryption(given.subjectKeys, given.box) }),
  }
  const { store, codec } = ports
  const app = await createApp({ ...ports, trustedOrigins: [], limitScale: 1000 })
  const mountWith = (changed: ServiceSettings, other: Partial<Ports> = {}) =>
    webhooksAt({ reach: 'loopback too', pollMs: 20, coolMs: () => 20, ...changed }).mount({ ...ports, ...other })
  const { routes, reactors = [] } = await mountWith(settings)
  if (routes) await app.register(routes)

  const lengths = new Map<string, number>()
  const append = async (tenant: string, stream: string, event: AnyEvent): Promise<string> => {
    const length = lengths.get(stream) ?? 0
    const id = deriveId('test event', stream, length)
    const actor = { kind: 'system', id: 'test' } as const
    const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: clock.now() }
    const encoded = await codec.encode([{ id, stream, event, metadata }])
    const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
    if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
    lengths.set(stream, length + 1)
    return id
  }

  const everyEvent = async (...categories: Category[]): Promise<Stored[]> => {
    const events: Stored[] = []
    for await (const page of store.readAll(beginning, { categories })) events.push(...(await codec.decode(page.events)))
    return events
  }

  const running: { stop(): Promise<void> }[] = []
  const run = async (changed: ServiceSettings = {}, other: Partial<Ports> = {}) => {
    const mounted = await mountWith(changed, { silenceMs: 1500, ...other } as Partial<Ports>)
    const stopping = new AbortController()
    const ended = mounted.run?.(stopping.signal)
    const one = {
      ...mounted,
      async stop() {
        stopping.abort()
        await ended
      },
    }
    running.push(one)
    return one
  }

  const ask = async (user: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const cookie = `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`
    const reply = await app.inject({
      method,
      url: `/api/webhooks${path}`,
      headers: { cookie },
      ...(payload && { payload }),
    })
    return { status: reply.statusCode, body: reply.json() }
  }

  return {
    ports,
    run,
    ask,
    append,
    reactors,
    advance(ms: number) {
      now += ms
    },
    receive: (tenant: string, who: string, text = 'oi') =>
      append(tenant, `chat-${contactOf(who)}`, {
        type: 'MessageReceived',
        data: {
          messageId: `m${lengths.get(`chat-${contactOf(who)}`) ?? 0}`,
          ...{ connectionId, content: { kind: 'text', text }, sentAt: clock.now() },
        },
      }),
    async add(tenant: string, address: string, changed: Partial<WebhookSettings> = {}) {
      const wish = { name: 'Planilha', address, types: [receivedType], withPersonal: false, ...changed }
      const { status, body } = await ask(tenant, 'POST', '', wish)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body as { id: string; secret: string }
    },
    async calls(tenant: string, id: string, query = '') {
      return (await ask(tenant, 'GET', `/${id}/calls${query}`)).body as WebhookCall[]
    },
    webhookEvents: () => everyEvent('webhook'),
    everyEvent,
    async stop() {
      await Promise.all(running.map(({ stop }) => stop()))
      await app.close()
      await ports.close()
    },
  }
}
export type WebhookScene = Awaited<ReturnType<typeof webhookScene>>
