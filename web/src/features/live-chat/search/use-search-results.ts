import type { Contact, MessageFound } from '@prosa/contracts/http/live-chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { contactRowId } from '../contact-row.tsx'
import type { ContactList } from '../use-contact-list.ts'
import { messageSearchQuery, searchesMessages } from './api.ts'

/** So many contacts leave the messages below them in view. */
const fewContacts = 5

/** A line of the results that the arrow keys can stand on. */
export type SearchItem =
  | { kind: 'contact'; domId: string; contact: Contact }
  | { kind: 'more-contacts'; domId: string }
  | { kind: 'message'; domId: string; found: MessageFound }
  | { kind: 'more-messages'; domId: string }

interface Options {
  /** What is looked for, at rest; '' when nothing is. */
  search: string
  /** The contacts with it in name or phone. */
  list: ContactList
  onSelect: (contactId: string, messageId?: string) => void
}

/** What a search found, contacts and then messages, as one list that the keys of the search box and its own walk. */
export const useSearchResults = ({ search, list, onSelect }: Options) => {
  const id = useId()
  const [activeId, setActiveId] = useState<string | null>(null)
  const [expandedFor, setExpandedFor] = useState<string | null>(null)
  const [searched, setSearched] = useState(search)
  if (searched !== search) {
    setSearched(search)
    setActiveId(null)
  }
  const messages = useInfiniteQuery(messageSearchQuery(search))
  const expanded = expandedFor === search
  const { contacts, hasNextPage, isFetchingNextPage, fetchNextPage } = list

  const items = useMemo(() => {
    const shown = expanded ? contacts : contacts.slice(0, fewContacts)
    const all: SearchItem[] = shown.map((contact) => ({ kind: 'contact', domId: contactRowId(contact.id), contact }))
    if (shown.length < contacts.length || hasNextPage) all.push({ kind: 'more-contacts', domId: `${id}-contacts` })
    if (!searchesMessages(search)) return all
    for (const found of messages.data?.pages.flatMap(({ items }) => items) ?? [])
      all.push({ kind: 'message', domId: `${id}-${found.contactId}-${found.messageId}`, found })
    if (messages.hasNextPage) all.push({ kind: 'more-messages', domId: `${id}-messages` })
    return all
  }, [contacts, expanded, hasNextPage, id, messages.data, messages.hasNextPage, search])

  /** What is in view answers an older question. */
  const isOld = list.isPlaceholderData || (searchesMessages(search) && messages.isPlaceholderData)

  const choose = (item: SearchItem) => {
    setActiveId(item.domId)
    if (item.kind === 'contact') onSelect(item.contact.id)
    else if (item.kind === 'message') onSelect(item.found.contactId, item.found.messageId)
    else if (item.kind === 'more-messages') void messages.fetchNextPage()
    else if (!expanded) setExpandedFor(search)
    else if (!isFetchingNextPage) void fetchNextPage()
  }

  const move = (step: 1 | -1) => {
    const at = items.findIndex(({ domId }) => domId === activeId)
    const to = items[at === -1 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1)]
    if (to) setActiveId(to.domId)
  }

  /** ↑ ↓ walk, Enter chooses, the first when none is pointed at. 'opened' when a conversation was; null for any other key. */
  const onKeyDown = (event: KeyboardEvent): 'moved' | 'opened' | null => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
      return 'moved'
    }
    if (event.key !== 'Enter') return null
    event.preventDefault()
    const pointed = items.find(({ domId }) => domId === activeId)
    // What stands first may still be the answer to an older question.
    const item = pointed ?? (isOld ? undefined : items[0])
    if (!item) return 'moved'
    choose(item)
    return item.kind === 'contact' || item.kind === 'message' ? 'opened' : 'moved'
  }

  return {
    listId: `${id}-results`,
    search,
    items,
    /** Undefined when nothing is pointed at, or it is no longer there. */
    activeId: items.find(({ domId }) => domId === activeId)?.domId,
    isOld,
    /** Null when the contacts could be looked through; else why not, and the way to ask again. */
    contactsFailed:
      list.isLoadingError || list.isFetchNextPageError
        ? { error: list.error, askAgain: () => void (list.isLoadingError ? list.refetch() : fetchNextPage()) }
        : null,
    messages: { ...messages, searched: searchesMessages(search) },
    choose,
    move,
    onKeyDown,
  }
}

export type SearchResultsState = ReturnType<typeof useSearchResults>
