import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { streamName } from '@prosa/contracts/streams'
import type { Product } from '../../test/product.ts'
import type { Visitor } from '../../test/visitor.ts'

const dayMs = 86_400_000
const shown = ['contact-list', 'chat-messages', 'message-search']

/** Appends history straight to the log: over the line it would take minutes. */
export const storedPast = async ({ ports }: Product, visitor: Visitor) => {
  const { id: tenant } = await visitor.get<{ id: string }>('/api/auth/user')
  const happened = async (stream: string, events: AnyEvent[]) => {
    const recorded = events.map((event) => {
      const id = randomUUID()
      const actor = { kind: 'system', id: 'past' } as const
      const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: ports.clock.now() }
      return { id, stream, event, metadata }
    })
    const appended = await ports.store.append(stream, 'no_stream', await ports.codec.encode(recorded))
    if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
    // Nobody waits for what no request stored, and other processes keep the read models.
    if (!(await ports.readModels.reached(shown, appended.position, 30_000))) throw new Error(`${stream} is not shown`)
  }
  const finished: AnyEvent[] = [
    { type: 'ConversationAccepted', data: { attendantId: tenant } },
    { type: 'ConversationResolved', data: { attendantId: tenant } },
  ]
  return {
    async contact(name: string, phone: string): Promise<string> {
      const id = randomUUID()
      const added: AnyEvent = { type: 'ContactAdded', data: { phone, lid: null, name, origin: 'attendant' } }
      await happened(streamName('contact', id), [added, ...finished])
      return id
    },
    /** Spread over the last days, every third by the own side. */
    async messages(contactId: string, connectionId: string, texts: readonly string[]) {
      const spoken = texts.map((text, index): AnyEvent => {
        const sentAt = new Date(Date.now() - 9 * dayMs + (index * 8 * dayMs) / texts.length).toISOString()
        const data = { messageId: `PAST${index}`, connectionId, content: { kind: 'text' as const, text }, sentAt }
        return { type: index % 3 === 2 ? 'MessageSentElsewhere' : 'MessageReceived', data }
      })
      await happened(streamName('chat', contactId), spoken)
    },
  }
}
