import type { Message } from '@prosa/contracts/http/live-chat'

/** A message written here that the history may not show yet. */
export interface Outgoing {
  id: string
  contactId: string
  content: string
  /** When Enter was pressed, ISO 8601. */
  writtenAt: string
  state: 'sending' | 'accepted' | 'failed'
  /** Why it was not accepted, in a sentence. */
  failure: string | null
}

const asMessage = (outgoing: Outgoing): Message => ({
  id: outgoing.id,
  contactId: outgoing.contactId,
  content: outgoing.content,
  kind: 'text',
  sender: 'user',
  timestamp: outgoing.writtenAt,
  status: outgoing.state === 'failed' ? 'failed' : 'queued',
  failure: outgoing.failure,
  sentElsewhere: false,
})

/**
 * The history with what is on its way behind it. The server's word wins, except that a failed message being sent again
 * shows as on its way.
 */
export const withOutgoing = (messages: Message[], outgoing: Outgoing[]): Message[] => {
  if (outgoing.length === 0) return messages
  const pending = new Map(outgoing.map((one) => [one.id, one]))
  const shown = messages.map((message) => {
    const again = pending.get(message.id)
    pending.delete(message.id)
    return again?.state === 'sending' && message.status === 'failed'
      ? { ...message, status: 'queued' as const, failure: null }
      : message
  })
  return [...shown, ...Array.from(pending.values(), asMessage)]
}

/** What still has to be remembered once the history shows these messages. */
export const stillOutgoing = (outgoing: Outgoing[], messages: Message[]): Outgoing[] => {
  const stored = new Set(messages.map(({ id }) => id))
  const remaining = outgoing.filter(({ id, state }) => state === 'sending' || !stored.has(id))
  return remaining.length === outgoing.length ? outgoing : remaining
}
