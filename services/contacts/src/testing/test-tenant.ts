import { randomUUID } from 'node:crypto'
import type { AnyEvent, EventType } from '@prosa/contracts/events/all-events'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import type { TestPorts } from '@prosa/product/testing/test-ports'
import { receiveOnMessageArrived } from '../chat/receive-on-message-arrived.ts'
import { settleOnContactAbsorbed } from '../contact/settle-on-contact-absorbed.ts'
import { type ContactHandlers, contactHandlers } from '../handlers.ts'

export type TestTenant = ReturnType<typeof testTenant>

type Arrived = Extract<AnyEvent, { type: 'MessageArrived' }>['data']

/** Several tenants may share the log. */
export const testTenant = (ports: Pick<TestPorts, 'store' | 'codec' | 'clock' | 'subjectKeys' | 'box'>) => {
  const tenant = randomUUID()
  const lineId = randomUUID()
  // No read model runs here.
  const handlers = contactHandlers(ports as TestPorts, async () => [])

  const context = (): CommandContext => ({
    commandId: randomUUID(),
    actor: { kind: 'user', id: tenant },
    tenant,
    causationId: 'test',
    correlationId: 'test',
  })

  const record = async (stream: string, event: AnyEvent): Promise<Stored> => {
    const { commandId: _, ...about } = context()
    const metadata = { ...about, recordedAt: ports.clock.now() }
    const id = randomUUID()
    const encoded = await ports.codec.encode([{ id, stream, event, metadata }])
    let revision: bigint | 'no_stream' = 'no_stream'
    for (;;) {
      const appended = await ports.store.append(stream, revision, encoded)
      if (appended.ok) break
      revision = appended.actual
    }
    const recorded = (await events(event.type)).find((each) => each.id === id)
    if (!recorded) throw new Error('what was recorded is not there')
    return recorded
  }

  const events = async <T extends EventType>(...types: T[]): Promise<Stored<Extract<AnyEvent, { type: T }>>[]> => {
    const found: Stored[] = []
    for await (const batch of ports.store.readAll(beginning, {
      categories: ['connection', 'line', 'contact', 'contactKey', 'chat', 'user'],
    }))
      found.push(...(await ports.codec.decode(batch.events.filter(({ metadata }) => metadata.tenant === tenant))))
    return found.filter(({ type }) => (types as string[]).includes(type)) as Stored<Extract<AnyEvent, { type: T }>>[]
  }

  const arrived = (about: Partial<Arrived> & { chatJid: string }) =>
    record(`line-${lineId}`, {
      type: 'MessageArrived',
      data: {
        messageId: randomUUID(),
        alternateJid: null,
        fromMe: false,
        pushName: null,
        sentAt: ports.clock.now(),
        via: 'notify',
        content: { kind: 'text', text: 'oi' },
        raw: '',
        ...about,
      },
    })

  const react = (reactor: Reactor, event: Stored): Promise<void> =>
    (reactor.on[event.type] as ((event: Stored) => Promise<void>) | undefined)?.(event) ?? Promise.resolve()

  return {
    tenant,
    lineId,
    handlers,
    context,
    record,
    events,
    arrived,
    react,
    async receives(about: Partial<Arrived> & { chatJid: string }, by: ContactHandlers = handlers) {
      const event = await arrived(about)
      await react(receiveOnMessageArrived(by), event)
      return event
    },
    async settle(by: ContactHandlers = handlers) {
      const reactor = settleOnContactAbsorbed(by)
      for (const event of await events('ContactAbsorbed', 'ContactSeparated', 'ContactRestored'))
        await react(reactor, event)
    },
    async visible() {
      const ids = new Set((await events('ContactAdded')).map(({ stream }) => stream.slice('contact-'.length)))
      const all = await Promise.all(
        [...ids].map(async (id) => ({ id, state: await handlers.contacts.load(id, tenant) })),
      )
      return all.filter(({ state }) => state.status !== 'absorbed' && state.status !== 'erased')
    },
  }
}
