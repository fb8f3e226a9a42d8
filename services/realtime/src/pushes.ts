import { parseStream } from '@prosa/contracts/streams'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'

export type PushKind = 'message' | 'contact' | 'contact-notes' | 'connection' | 'media' | 'quick-reply'

/** Something of a subscriber that looks different since a position of the log. */
export interface Push {
  kind: PushKind
  owner: string
  /** Of the contact, the connection, the file or the quick reply. */
  id: string
  /** The contact to whose chat a file belongs. */
  contactId?: string
  position: Position
  /** Of the latest event that changed it. */
  correlationId: string
}

/** Which read models show it. */
export const shownBy: Record<PushKind, readonly string[]> = {
  message: ['chat-messages', 'contact-list'],
  contact: ['contact-list'],
  'contact-notes': ['contact-notes'],
  connection: ['connections'],
  media: ['media'],
  'quick-reply': ['quick-replies'],
}

/** The categories of streams whose events are pushed. */
export const pushedCategories = ['chat', 'contact', 'connection', 'media', 'quickReply']

const kindOf = (category: string, type: string): PushKind | undefined => {
  // Seeing a chat changes the list only, and nobody hears of an erased one as of a message.
  if (category === 'chat') return type === 'ChatSeen' || type === 'ChatErased' ? 'contact' : 'message'
  if (type === 'ContactNoteWritten' || type === 'ContactNoteRemoved') return 'contact-notes'
  if (category === 'quickReply') return 'quick-reply'
  return category === 'contact' || category === 'connection' || category === 'media' ? category : undefined
}

/** What to push for a batch: one push for each thing that changed, however many events it had, at its latest position. */
export const pushesFor = (events: readonly RecordedEvent[]): Push[] => {
  const pushes = new Map<string, Push>()
  for (const { stream, type, position, metadata, data } of events) {
    const { category, id } = parseStream(stream)
    const kind = kindOf(category, type)
    const { owner, correlationId } = metadata
    if (!kind || owner === null) continue
    const contactId = kind === 'media' && typeof data.contactId === 'string' ? data.contactId : undefined
    // A file that nobody was sent yet is on no screen.
    if (kind === 'media' && contactId === undefined) continue
    pushes.set(`${kind} ${id}`, { kind, owner, id, contactId, position, correlationId })
  }
  return [...pushes.values()]
}
