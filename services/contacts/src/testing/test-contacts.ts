import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import type { TopicPayload } from '@prosa/contracts/topics'
import { host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { testPorts } from '@prosa/product/testing/test-ports'
import { contacts } from '../contacts.ts'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { hasOpenLine } from '../queries.ts'

export type TestContacts = Awaited<ReturnType<typeof testContacts>>

type Answer = Omit<TopicPayload<'number.answered'>, 'requestId'>

const actor: Actor = { kind: 'whatsapp', id: 'test' }

export const arrived = (
  text: string,
  from: Partial<Extract<AnyEvent, { type: 'MessageArrived' }>['data']> = {},
): AnyEvent => ({
  type: 'MessageArrived',
  data: {
    messageId: randomUUID(),
    chatJid: '1636@lid',
    alternateJid: null,
    fromMe: false,
    pushName: 'Ana',
    sentAt: new Date().toISOString(),
    via: 'notify',
    content: { kind: 'text', text },
    raw: 'CgA=',
    ...from,
  },
})

/** Tests act as sessions. */
export const testContacts = async () => {
  const ports = await testPorts({ migrations: [contactMigrations] })
  const running = await host([contacts], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })

  /** Unlisted numbers exist without a LID. */
  const numbers = new Map<string, Answer>()
  /** Rate-limited numbers. */
  const tooSoon = new Set<string>()
  const asked: TopicPayload<'number.asked'>[] = []
  ports.pubSub.subscribe('number.asked', async (question) => {
    asked.push(question)
    const { requestId, phone } = question
    if (tooSoon.has(phone)) return ports.pubSub.publish('number.postponed', { requestId, retryAfterSeconds: 90 })
    const answer = numbers.get(phone) ?? { exists: true, phone, lid: null }
    await ports.pubSub.publish('number.answered', { requestId, ...answer })
  })
  await until(async () => {
    await ports.pubSub.publish('number.asked', { tenant: randomUUID(), requestId: randomUUID(), phone: '5500000000' })
    return asked.length > 0
  })

  const record = async (tenant: string, stream: string, ...events: AnyEvent[]) => {
    let revision: bigint | 'no_stream' = 'no_stream'
    for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
    const metadata = { causationId: 'x', correlationId: randomUUID(), actor, tenant, recordedAt: ports.clock.now() }
    const encoded = await ports.codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
    const appended = await ports.store.append(stream, revision, encoded)
    if (!appended.ok) throw new Error('conflict')
  }

  return {
    ports,
    running,
    numbers,
    tooSoon,
    asked,

    /** With an open line. */
    async shop() {
      const tenant = randomUUID()
      const connectionId = randomUUID()
      await record(
        tenant,
        `connection-${connectionId}`,
        { type: 'ConnectionAdded', data: { name: 'Loja' } },
        { type: 'LineOpened', data: {} },
      )
      const { token } = await ports.browserSessions.issue(tenant)
      const cookie = `__Host-prosa=${token}`
      type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      const request = (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
        running.app.inject({ method, url, ...(payload && { payload }), headers: { cookie, ...headers } })
      const events = async (...types: AnyEvent['type'][]) =>
        (
          await everythingIn(
            ports.store,
            ...(['contact', 'chat', 'contactKey', 'quickReply', 'openingHours', 'label', 'flowRun'] as const),
          )
        ).filter(({ metadata, type }) => metadata.tenant === tenant && types.includes(type))
      return {
        tenant,
        connectionId,
        request,
        events,
        ask: (method: Method, url: string, payload?: object) => request(method, `/api/whatsapp${url}`, payload),
        record: (stream: string, ...facts: AnyEvent[]) => record(tenant, stream, ...facts),
        receives: (...facts: AnyEvent[]) => record(tenant, `line-${connectionId}`, ...facts),
        lineIsKnown: () => until(() => hasOpenLine(ports.pool, tenant)),
      }
    },

    async stop() {
      await running.stop()
      await ports.close()
    },
  }
}
