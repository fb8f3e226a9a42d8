import type { Message } from '@prosa/contracts/http/live-chat'
import { replaceEqualDeep } from '@tanstack/react-query'
import type { Page } from '../../lib/http/http.ts'

/** Ascending, without gaps. */
export interface History {
  messages: Message[]
  /** Null at the beginning of the conversation. */
  olderCursor: string | null
  /** Null when the latest message is loaded. */
  newerCursor: string | null
  /** It was loaded around this message and does not reach the latest yet. */
  anchorId: string | null
  /** Reading the same page again changes nothing. */
  lastRead: Message[]
}

type MessagePage = Page<Message>

/** `anchorId`: the message it was requested around; null: the latest. */
export const historyOf = ({ items, next, newer }: MessagePage, anchorId: string | null = null): History => ({
  messages: items,
  olderCursor: next,
  newerCursor: newer ?? null,
  anchorId: newer ? anchorId : null,
  lastRead: items,
})

const ticks: readonly Message['status'][] = ['sent', 'delivered', 'read']

/** A page that was read earlier and comes late takes no tick back. */
const later = (known: Message | undefined, read: Message): Message => {
  const isBehind = known && ticks.includes(read.status) && ticks.indexOf(read.status) < ticks.indexOf(known.status)
  return replaceEqualDeep(known, isBehind ? { ...read, status: known.status } : read)
}

/** Unchanged messages stay the same objects: their bubbles do not render again. */
const reuse = (known: Message[], read: Message[]): Message[] => {
  const byId = new Map(known.map((message) => [message.id, message]))
  return read.map((message) => later(byId.get(message.id), message))
}

/** Without a common message there may be a gap: the page replaces all. */
export const withLatestPage = (loaded: History | undefined, page: MessagePage): History => {
  if (loaded?.lastRead === page.items) return loaded
  const oldest = page.items[0]
  const overlap = loaded && oldest ? loaded.messages.findIndex(({ id }) => id === oldest.id) : -1
  if (!loaded || overlap === -1) return historyOf(page)
  const read = reuse(loaded.messages.slice(overlap), page.items)
  return {
    messages: [...loaded.messages.slice(0, overlap), ...read],
    olderCursor: loaded.olderCursor,
    newerCursor: null,
    anchorId: null,
    lastRead: page.items,
  }
}

/** Updates loaded messages and adds none. */
export const withRenewed = (loaded: History, page: MessagePage): History => {
  if (loaded.lastRead === page.items) return loaded
  const read = new Map(page.items.map((message) => [message.id, message]))
  return {
    ...loaded,
    messages: loaded.messages.map((message) => later(message, read.get(message.id) ?? message)),
  }
}

const unknownOf = (loaded: History, page: MessagePage) => {
  const known = new Set(loaded.messages.map(({ id }) => id))
  return page.items.filter(({ id }) => !known.has(id))
}

export const withOlderPage = (loaded: History, page: MessagePage): History => ({
  ...loaded,
  messages: [...unknownOf(loaded, page), ...loaded.messages],
  olderCursor: page.next,
})

export const withNewerPage = (loaded: History, page: MessagePage): History => ({
  ...loaded,
  messages: [...loaded.messages, ...unknownOf(loaded, page)],
  newerCursor: page.newer ?? null,
  anchorId: page.newer ? loaded.anchorId : null,
})
