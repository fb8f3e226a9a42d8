import type { Message } from '@prosa/contracts/http/live-chat'
import { replaceEqualDeep } from '@tanstack/react-query'
import type { Page } from '../../lib/http/http.ts'
import {
  type History,
  historyOf,
  isOfSame,
  type PageAt,
  withLatestPage,
  withNewerPage,
  withOlderPage,
  withRenewed,
  withView,
} from './history-page.ts'
import { type Outgoing, stillOutgoing, withOne, withOutgoing } from './outbox/outgoing.ts'

type MessagePage = Page<Message>
type Correction = NonNullable<Message['correction']>
type End = 'older' | 'newer'

/** Each `number` is a new request. */
export interface Target {
  messageId: string
  number: number
}

/** Own reactions (null removes one) and corrections by message id, until the server's reply. */
export interface OwnChanges {
  reactions: Readonly<Record<string, string | null>>
  corrections: Readonly<Record<string, Correction>>
}

/** Where the attendant reads. */
export interface Reading {
  target: Target | null
  /** The latest requested message that was reached, or is gone. */
  arrivedAt: string | null
  /** The first unread message, while it is above what is loaded. */
  beginsAbove: string | null
  /** 'Novas mensagens' is above this message. */
  lineId: string | null
  firstUnreadId: string | null
  isWatched: boolean
  loading: End | null
  failed: End | null
}

type PageEvent =
  /** Replaces what is loaded. */
  | { type: 'opened'; page: MessagePage; at: string | null }
  | { type: 'olderRead' | 'newerRead'; page: MessagePage; at: PageAt }
  | { type: 'renewed'; page: MessagePage }

export type HistoryEvent =
  | PageEvent
  | { type: 'latestRead'; page: MessagePage }
  /** In the middle of what is in view. */
  | { type: 'viewed'; messageId: string }

export type OutgoingEvent =
  | { type: 'sendAsked'; message: Outgoing }
  | { type: 'sendChanged'; messageId: string; change: Partial<Outgoing> }
  | { type: 'sendDiscarded'; messageId: string }
  | { type: 'historyShown'; history: Pick<History, 'messages' | 'older'> }

export type ChangeEvent =
  | { type: 'reactionAsked' | 'reactionSettled'; messageId: string; emoji: string | null }
  | { type: 'correctionAsked' | 'correctionSettled'; messageId: string; correction: Correction }

export type ReadingEvent =
  | { type: 'wentTo'; messageId: string }
  /** It does not exist any more or could not be read. */
  | { type: 'notFound'; messageId: string }
  /** `messageId`: requested, else null. */
  | { type: 'messagesShown'; messages: readonly Message[]; messageId: string | null }
  | { type: 'unreadSeen'; firstUnreadId: string | null; isWatched: boolean }
  /** Arrived below while scrolled up. */
  | { type: 'missed'; messageId: string }
  | { type: 'pageAsked' | 'pageFailed'; end: End }
  | { type: 'pageRead' }
  /** Another part of the history was opened. */
  | { type: 'endsCleared' }

const isEqual = (one: PageAt | null, other: PageAt) => replaceEqualDeep(one, other) === one

/** A page that continues another edge comes late: it changes nothing. */
const withPage = (history: History, event: PageEvent): History => {
  if (event.type === 'opened') return historyOf(event.page, event.at)
  const { page } = event
  if (event.type !== 'renewed' && !isEqual(history[event.type === 'olderRead' ? 'older' : 'newer'], event.at))
    return history
  if (!isOfSame(history, page)) {
    const hasView = page.items.some(({ id }) => id === history.anchorId)
    return event.type !== 'renewed' || hasView ? historyOf(page, history.anchorId) : history
  }
  if (event.type === 'renewed') return withRenewed(history, page)
  return event.type === 'olderRead' ? withOlderPage(history, page) : withNewerPage(history, page)
}

export const historyAfter = (history: History | undefined, event: HistoryEvent): History | undefined => {
  if (event.type === 'latestRead') return withLatestPage(history, event.page)
  if (!history) return history
  return event.type === 'viewed' ? withView(history, event.messageId) : withPage(history, event)
}

export const outgoingAfter = (outgoing: Outgoing[], event: OutgoingEvent): Outgoing[] => {
  switch (event.type) {
    case 'sendAsked':
      return withOne(outgoing, event.message)
    case 'sendChanged':
      return outgoing.map((one) => (one.id === event.messageId ? { ...one, ...event.change } : one))
    case 'sendDiscarded':
      return outgoing.filter(({ id }) => id !== event.messageId)
    case 'historyShown':
      return stillOutgoing(outgoing, event.history)
  }
}

const without = <T>(all: Readonly<Record<string, T>>, id: string, settled: T): Readonly<Record<string, T>> => {
  // A newer choice must stay.
  if (!(id in all) || all[id] !== settled) return all
  const { [id]: _, ...others } = all
  return others
}

export const changesAfter = ({ reactions, corrections }: OwnChanges, event: ChangeEvent): OwnChanges => {
  switch (event.type) {
    case 'reactionAsked':
      return { corrections, reactions: { ...reactions, [event.messageId]: event.emoji } }
    case 'reactionSettled':
      return { corrections, reactions: without(reactions, event.messageId, event.emoji) }
    case 'correctionAsked':
      return { reactions, corrections: { ...corrections, [event.messageId]: event.correction } }
    case 'correctionSettled':
      return { reactions, corrections: without(corrections, event.messageId, event.correction) }
  }
}

/** `firstUnreadId`: as known when the conversation is opened. `messageId`: requested, else null. */
export const readingOf = (
  { messages, older }: Pick<History, 'messages' | 'older'>,
  firstUnreadId: string | null,
  messageId: string | null,
  isWatched = false,
): Reading => {
  const isAbove = older !== null && !messages.some(({ id }) => id === firstUnreadId)
  return {
    target: null,
    arrivedAt: null,
    beginsAbove: messageId === null && isAbove ? firstUnreadId : null,
    lineId: firstUnreadId,
    firstUnreadId,
    isWatched,
    loading: null,
    failed: null,
  }
}

const arrived = (reading: Reading, messageId: string): Reading => {
  const isNew = reading.arrivedAt !== messageId || reading.beginsAbove === messageId
  const beginsAbove = reading.beginsAbove === messageId ? null : reading.beginsAbove
  return isNew ? { ...reading, arrivedAt: messageId, beginsAbove } : reading
}

export const readingAfter = (reading: Reading, event: ReadingEvent): Reading => {
  switch (event.type) {
    case 'wentTo':
      return { ...reading, target: { messageId: event.messageId, number: (reading.target?.number ?? 0) + 1 } }
    case 'notFound':
      return arrived(reading, event.messageId)
    case 'messagesShown': {
      const ids = new Set(event.messages.map(({ id }) => id))
      return [event.messageId, reading.beginsAbove].reduce<Reading>(
        (state, id) => (id !== null && ids.has(id) ? arrived(state, id) : state),
        reading,
      )
    }
    case 'unreadSeen': {
      const { firstUnreadId, isWatched } = event
      if (firstUnreadId === reading.firstUnreadId && isWatched === reading.isWatched) return reading
      // Arrival and watching change together: whether anybody watched before counts.
      const isNew = firstUnreadId !== null && firstUnreadId !== reading.firstUnreadId && !reading.isWatched
      return { ...reading, firstUnreadId, isWatched, lineId: isNew ? firstUnreadId : reading.lineId }
    }
    case 'missed':
      return { ...reading, lineId: event.messageId }
    case 'pageAsked':
      return { ...reading, loading: event.end }
    case 'pageRead':
      return { ...reading, loading: null, failed: null }
    case 'endsCleared':
      return { ...reading, failed: null }
    case 'pageFailed':
      return { ...reading, loading: null, failed: event.end }
  }
}

/** To the requested or first unread message. */
export const isOnTheWay = ({ beginsAbove, arrivedAt }: Reading, messageId: string | null): boolean =>
  beginsAbove !== null || (messageId !== null && arrivedAt !== messageId)

const changed = (message: Message, { reactions, corrections }: OwnChanges): Message => {
  const emoji = reactions[message.id]
  const correction = corrections[message.id]
  if (emoji === undefined && !correction) return message
  const theirs = message.reactions.filter(({ sender }) => sender === 'contact')
  return {
    ...message,
    ...(emoji !== undefined && {
      reactions: emoji === null ? theirs : [...theirs, { emoji, sender: 'user' as const }],
    }),
    ...(correction && { correction }),
  }
}

/** What is stored, then what is on its way, both as changed here. Unchanged messages stay the same objects. */
export const shownMessages = (history: History, mine: Outgoing[], changes: OwnChanges): Message[] => {
  const messages = history.newer === null ? withOutgoing(history.messages, mine) : history.messages
  const hasChanges = Object.keys(changes.reactions).length + Object.keys(changes.corrections).length > 0
  return hasChanges ? messages.map((message) => changed(message, changes)) : messages
}
