import type { Message } from '@prosa/contracts/http/live-chat'
import { replaceEqualDeep } from '@tanstack/react-query'
import type { Page } from '../../lib/http.ts'

/** What is loaded of one conversation, ascending and without gaps. */
export interface History {
  messages: Message[]
  /** Leads to older messages; null when the conversation begins here. */
  olderCursor: string | null
  /** Leads to newer messages; null when what is loaded reaches the latest. */
  newerCursor: string | null
  /** The message around which this was read, as long as it does not reach the latest. */
  anchorId: string | null
  /** The page that was read last: reading the same one again changes nothing. */
  lastRead: Message[]
}

type MessagePage = Page<Message>

/** A page that stands alone; `anchorId` is the message around which it was asked for, or null for the latest. */
export const historyOf = ({ items, next, newer }: MessagePage, anchorId: string | null = null): History => ({
  messages: items,
  olderCursor: next,
  newerCursor: newer ?? null,
  anchorId: newer ? anchorId : null,
  lastRead: items,
})

/** Messages that did not change stay the same objects, so that their bubbles need no new look. */
const reuse = (known: Message[], read: Message[]): Message[] => {
  const byId = new Map(known.map((message) => [message.id, message]))
  return read.map((message) => replaceEqualDeep(byId.get(message.id), message))
}

/** Lays the latest page over what was loaded; without a common message there may be a gap, so the page stands alone. */
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

/** Renews those of the loaded messages that the page has, and adds none. */
export const withRenewed = (loaded: History, page: MessagePage): History => {
  if (loaded.lastRead === page.items) return loaded
  const read = new Map(page.items.map((message) => [message.id, message]))
  return {
    ...loaded,
    messages: loaded.messages.map((message) => replaceEqualDeep(message, read.get(message.id) ?? message)),
  }
}

const unknownOf = (loaded: History, page: MessagePage) => {
  const known = new Set(loaded.messages.map(({ id }) => id))
  return page.items.filter(({ id }) => !known.has(id))
}

/** Puts a page of older messages before what was loaded. */
export const withOlderPage = (loaded: History, page: MessagePage): History => ({
  ...loaded,
  messages: [...unknownOf(loaded, page), ...loaded.messages],
  olderCursor: page.next,
})

/** Puts a page of newer messages behind what was loaded. */
export const withNewerPage = (loaded: History, page: MessagePage): History => ({
  ...loaded,
  messages: [...loaded.messages, ...unknownOf(loaded, page)],
  newerCursor: page.newer ?? null,
  anchorId: page.newer ? loaded.anchorId : null,
})
