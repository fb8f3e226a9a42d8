import type { Message } from '@prosa/contracts/http/live-chat'
import { replaceEqualDeep } from '@tanstack/react-query'
import type { Page } from '../../lib/http/http.ts'

/** A cursor of the server, or the message at which the window was cut. */
export type PageAt = { cursor: string } | { after: string } | { around: string }

/** A window of the conversation: ascending, without gaps. */
export interface History {
  messages: Message[]
  /** Where earlier messages are read; null at the beginning of the conversation. */
  older: PageAt | null
  /** Null when the latest message is loaded. */
  newer: PageAt | null
  /** The message in view, around which polls read; null while the latest page has it. */
  anchorId: string | null
  /** Reading the same page again changes nothing. */
  lastRead: Message[]
}

/** More messages are cut to `sideSize` on each side of the one in view. */
export const maxMessages = 400
const sideSize = 150
const pageSize = 100
/** Polls read half a page around the anchor. */
const anchorReach = 25

type MessagePage = Page<Message>

const olderOf = ({ next }: MessagePage) => (next === null ? null : { cursor: next })
const newerOf = ({ newer }: MessagePage) => (newer ? { after: newer } : null)

/** `anchorId`: the message it was requested around; null: the latest. */
export const historyOf = (page: MessagePage, anchorId: string | null = null): History => ({
  messages: page.items,
  older: olderOf(page),
  newer: newerOf(page),
  anchorId: page.newer ? anchorId : null,
  lastRead: page.items,
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

/** Without a common message there may be a gap: the page replaces all, or where the latest is not in view, is read later. */
export const withLatestPage = (loaded: History | undefined, page: MessagePage): History => {
  if (loaded?.lastRead === page.items) return loaded
  const oldest = page.items[0]
  const overlap = loaded && oldest ? loaded.messages.findIndex(({ id }) => id === oldest.id) : -1
  const last = loaded?.messages.at(-1)
  if (loaded?.anchorId && last && overlap === -1) return { ...loaded, newer: { around: last.id } }
  if (!loaded || overlap === -1) return historyOf(page)
  const read = reuse(loaded.messages.slice(overlap), page.items)
  return { ...loaded, messages: [...loaded.messages.slice(0, overlap), ...read], newer: null, lastRead: page.items }
}

/** False once contacts were merged or separated: the page and the window have other messages in between. */
export const isOfSame = ({ messages }: History, { items }: MessagePage): boolean => {
  const index = new Map(messages.map(({ id }, at) => [id, at]))
  const found = items.map(({ id }) => index.get(id) ?? -1)
  const begin = found.findIndex((at) => at !== -1)
  const first = found[begin] ?? 0
  const end = found.findLastIndex((at) => at !== -1) + 1
  const isConsecutive = found.slice(begin, end).every((at, offset) => at === first + offset)
  const isWhole = (begin === 0 || first === 0) && (end === found.length || found[end - 1] === messages.length - 1)
  return begin === -1 || (isConsecutive && isWhole)
}

/** Updates loaded messages and adds none. */
export const withRenewed = (loaded: History, page: MessagePage): History => {
  const read = new Map(page.items.map((message) => [message.id, message]))
  const messages = loaded.messages.map((message) => later(message, read.get(message.id) ?? message))
  return messages.every((message, index) => message === loaded.messages[index]) ? loaded : { ...loaded, messages }
}

const unknownOf = (loaded: History, items: Message[]) => {
  const known = new Set(loaded.messages.map(({ id }) => id))
  return items.filter(({ id }) => !known.has(id))
}

/** The page may have messages of both sides of the edge. */
export const withOlderPage = (loaded: History, page: MessagePage): History => {
  const edge = page.items.findIndex(({ id }) => id === loaded.messages[0]?.id)
  const before = unknownOf(loaded, edge === -1 ? page.items : page.items.slice(0, edge))
  const renewed = withRenewed(loaded, page)
  return { ...renewed, messages: [...before, ...renewed.messages], older: olderOf(page) }
}

export const withNewerPage = (loaded: History, page: MessagePage): History => {
  const edge = page.items.findIndex(({ id }) => id === loaded.messages.at(-1)?.id)
  const after = unknownOf(loaded, page.items.slice(edge + 1))
  const renewed = withRenewed(loaded, page)
  return { ...renewed, messages: [...renewed.messages, ...after], newer: newerOf(page) }
}

const indexOf = ({ messages }: History, messageId: string | null) => messages.findIndex(({ id }) => id === messageId)

/** Lets go of what is far from the message in view, and moves the anchor to it. */
export const withView = (loaded: History, viewedId: string): History => {
  const { messages, newer } = loaded
  const at = indexOf(loaded, viewedId)
  if (at === -1) return loaded
  const isOfLatest = newer === null && messages.length - at <= pageSize - anchorReach
  const isNearAnchor = Math.abs(at - indexOf(loaded, loaded.anchorId)) <= anchorReach
  const anchorId = isOfLatest ? null : isNearAnchor && loaded.anchorId ? loaded.anchorId : viewedId
  if (messages.length > maxMessages) return { ...withoutOutside(loaded, at - sideSize, at + sideSize), anchorId }
  return anchorId === loaded.anchorId ? loaded : { ...loaded, anchorId }
}

const withoutOutside = (loaded: History, from: number, end: number): History => {
  const messages = loaded.messages.slice(Math.max(0, from), end)
  const [first] = messages
  const last = messages.at(-1)
  return {
    ...loaded,
    messages,
    older: first && from > 0 ? { around: first.id } : loaded.older,
    newer: last && end < loaded.messages.length ? { around: last.id } : loaded.newer,
  }
}

/** As a conversation is left: its latest page; undefined if that is not loaded. */
export const latestOf = (left: History): History | undefined =>
  left.newer === null
    ? { ...withoutOutside(left, left.messages.length - pageSize, left.messages.length), anchorId: null }
    : undefined
