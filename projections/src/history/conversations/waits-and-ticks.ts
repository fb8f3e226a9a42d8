import type { Stored } from '@prosa/kernel/event-store/codec'

/** `isAtLeast`: it began before what was read. */
export interface Elapsed {
  ms: number
  isAtLeast: boolean
}

const between = (from: Stored, to: Stored): number =>
  Math.max(0, Date.parse(to.metadata.recordedAt) - Date.parse(from.metadata.recordedAt))

const isOfPerson = ({ type, data }: Stored): boolean =>
  type === 'MessageSentElsewhere' || (type === 'MessageQueued' && !('automatic' in data) && !('isRetry' in data))

/** Since the first unanswered message, where this one answers; `earlier`: of its chat, newest first, down to the beginning if `isWhole`. */
export const answeredAfter = (answer: Stored, earlier: readonly Stored[], isWhole: boolean): Elapsed | undefined => {
  if (!isOfPerson(answer)) return undefined
  let first: Stored | undefined
  for (const event of earlier) {
    if (isOfPerson(event)) return first && { ms: between(first, answer), isAtLeast: false }
    if (event.type === 'MessageReceived') first = event
  }
  return first && { ms: between(first, answer), isAtLeast: !isWhole }
}

const begins: Partial<Record<Stored['type'], readonly Stored['type'][]>> = {
  ConversationAccepted: ['ContactAdded', 'ConversationReopened'],
  ConversationResolved: ['ConversationAccepted', 'ConversationResumed'],
}

/** How long the conversation waited for who accepts it, or was attended by who finishes it. */
export const statusLasted = (event: Stored, earlier: readonly Stored[]): Elapsed | undefined => {
  const begin = earlier.find(({ type }) => begins[event.type]?.includes(type))
  return begin && { ms: between(begin, event), isAtLeast: false }
}

const ticks: readonly string[] = ['MessageSent', 'MessageDelivered', 'MessageRead']

/** Ticks by the id of their message's event. */
export interface Folded {
  of: ReadonlyMap<string, readonly Stored[]>
  /** Ids of ticks that stand with their message. */
  ids: ReadonlySet<string>
}

/**
 * A tick at most `near` events after its message stands with it, another one by itself: so a page needs `near` events around it, and
 * each tick is on one page. `chat`: by revision.
 */
export const foldTicks = (chat: readonly Stored[], near: number): Folded => {
  const latest = new Map<string, Stored>()
  const of = new Map<string, Stored[]>()
  const ids = new Set<string>()
  for (const event of chat) {
    const { type, data } = event
    if (!('messageId' in data) || data.messageId === null) continue
    if (type === 'MessageQueued' || type === 'MessageSentElsewhere') latest.set(data.messageId, event)
    const message = ticks.includes(type) ? latest.get(data.messageId) : undefined
    if (!message || event.revision - message.revision > BigInt(near)) continue
    of.set(message.id, [...(of.get(message.id) ?? []), event])
    ids.add(event.id)
  }
  return { of, ids }
}
