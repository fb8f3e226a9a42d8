import { parseStream } from '@prosa/contracts/streams'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Outbox } from './outbox.ts'

const maxChats = 10_000
/** The latest of a long unattended chat. */
const maxUnseen = 500

interface Unseen {
  connectionId: string
  messageId: string
}

interface SendingKind {
  isRetry?: boolean | undefined
  automatic?: string | undefined
}

/** A retry or automatic message does not mean that somebody looked at the chat. */
const leavesUnseen = ({ isRetry, automatic }: SendingKind): boolean => isRetry === true || automatic !== undefined

/** Takes every event of a chat in order. */
export interface ReadMarks {
  received(event: StoredOf<'MessageReceived'>): void
  seen(event: StoredOf<'ChatSeen'> | StoredOf<'MessageQueued'>): Promise<void>
  forget(stream: string): void
}

export const readMarks = (store: EventStore, outbox: Outbox): ReadMarks => {
  const unseen = lruMap<string, readonly Unseen[]>(maxChats)

  const after = (before: readonly Unseen[], type: string, data: Unseen & SendingKind): readonly Unseen[] => {
    if (type === 'ChatSeen' || (type === 'MessageQueued' && !leavesUnseen(data))) return []
    const { connectionId, messageId } = data
    return type === 'MessageReceived' ? [...before, { connectionId, messageId }].slice(-maxUnseen) : before
  }

  /** Neither field is personal, so nothing is decrypted. */
  const unseenBefore = async ({ stream, revision }: Stored): Promise<readonly Unseen[]> => {
    const known = unseen.get(stream)
    if (known) return known
    let found: readonly Unseen[] = []
    for await (const page of store.read(stream))
      for (const event of page)
        if (event.revision < revision) found = after(found, event.type, event.data as unknown as Unseen)
    return found
  }

  const seen: ReadMarks['seen'] = async (event) => {
    if (event.type === 'MessageQueued' && leavesUnseen(event.data)) return
    const { tenant, correlationId } = event.metadata
    if (!tenant) throw new Error('a chat without a tenant')
    const messages = await unseenBefore(event)
    for (const connectionId of new Set(messages.map((message) => message.connectionId))) {
      const messageIds = messages
        .filter((message) => message.connectionId === connectionId)
        .map((each) => each.messageId)
      await outbox.add({
        connectionId,
        messageId: `read ${event.id}`,
        contactId: parseStream(event.stream).id,
        tenant,
        toJid: '',
        work: { kind: 'read', messageIds },
        position: event.position,
        eventId: event.id,
        correlationId,
      })
    }
    unseen.set(event.stream, [])
  }

  return {
    received({ stream, type, data }) {
      const known = unseen.get(stream)
      if (known) unseen.set(stream, after(known, type, data))
    },
    seen,
    forget: unseen.delete,
  }
}
