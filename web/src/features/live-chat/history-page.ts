import type { Message } from '@prosa/contracts/http/live-chat'
import type { Page } from '../../lib/http.ts'

/** What is loaded of one conversation, ascending, without gaps, up to the latest message. */
export interface History {
  messages: Message[]
  /** Leads to older messages; null when the conversation begins here. */
  olderCursor: string | null
}

type MessagePage = Page<Message>

/** Lays the latest page over what was loaded; without a common message there may be a gap, so the page stands alone. */
export const withLatestPage = (loaded: History | undefined, page: MessagePage): History => {
  const fresh = { messages: page.items, olderCursor: page.next }
  const oldest = page.items[0]
  if (!loaded || !oldest) return fresh
  const overlap = loaded.messages.findIndex(({ id }) => id === oldest.id)
  if (overlap === -1) return fresh
  return overlap === 0
    ? { messages: page.items, olderCursor: loaded.olderCursor }
    : { messages: [...loaded.messages.slice(0, overlap), ...page.items], olderCursor: loaded.olderCursor }
}

/** Puts a page of older messages before what was loaded. */
export const withOlderPage = (loaded: History, page: MessagePage): History => {
  const known = new Set(loaded.messages.map(({ id }) => id))
  return { messages: [...page.items.filter(({ id }) => !known.has(id)), ...loaded.messages], olderCursor: page.next }
}
