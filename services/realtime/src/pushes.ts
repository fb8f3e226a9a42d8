import { parseStream } from '@prosa/contracts/streams'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'

export type PushKind = 'message' | 'contact' | 'connection'

/** Something of a subscriber that looks different since a position of the log. */
export interface Push {
  kind: PushKind
  owner: string
  /** Of the contact or the connection. */
  id: string
  position: Position
  /** Of the latest event that changed it. */
  correlationId: string
}

/** Which read models show it. */
export const shownBy: Record<PushKind, readonly string[]> = {
  message: ['chat-messages', 'contact-list'],
  contact: ['contact-list'],
  connection: ['connections'],
}

const kindOf = (category: string, type: string): PushKind | undefined => {
  // Seeing a chat changes the list only, and nobody hears of an erased one as of a message.
  if (category === 'chat') return type === 'ChatSeen' || type === 'ChatErased' ? 'contact' : 'message'
  return category === 'contact' || category === 'connection' ? category : undefined
}

/** What to push for a batch: one push for each thing that changed, however many events it had, at its latest position. */
export const pushesFor = (events: readonly RecordedEvent[]): Push[] => {
  const pushes = new Map<string, Push>()
  for (const { stream, type, position, metadata } of events) {
    const { category, id } = parseStream(stream)
    const kind = kindOf(category, type)
    const { owner, correlationId } = metadata
    if (kind && owner !== null) pushes.set(`${kind} ${id}`, { kind, owner, id, position, correlationId })
  }
  return [...pushes.values()]
}
