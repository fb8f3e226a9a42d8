import type { Contact } from '@prosa/contracts/http/live-chat'
import { useId, useMemo, useState } from 'react'
import { contactRowId } from '../list/contact-row.tsx'
import type { ContactList } from '../list/use-contact-list.ts'
import { type MessageItem, useFoundMessages } from './use-found-messages.ts'
import { useResultWalk } from './use-result-walk.ts'

/** At most this many keep the messages below in view. */
const fewContacts = 5

export type SearchItem =
  | { kind: 'contact'; domId: string; contact: Contact }
  | { kind: 'more-contacts'; domId: string }
  | MessageItem

interface Options {
  /** '' when not searching. */
  search: string
  /** Matched by name or phone. */
  list: ContactList
  line: string | null
  onSelect: (contactId: string, messageId?: string) => void
}

/** Contacts, then messages, as one list for the keys. */
export const useSearchResults = ({ search, list, line, onSelect }: Options) => {
  const id = useId()
  const [expandedFor, setExpandedFor] = useState<string | null>(null)
  const messages = useFoundMessages(search, { line })
  const expanded = expandedFor === search
  const { contacts, hasNextPage, isFetchingNextPage, fetchNextPage } = list

  const items = useMemo(() => {
    const shown = expanded ? contacts : contacts.slice(0, fewContacts)
    const all: SearchItem[] = shown.map((contact) => ({ kind: 'contact', domId: contactRowId(contact.id), contact }))
    if (shown.length < contacts.length || hasNextPage) all.push({ kind: 'more-contacts', domId: `${id}-contacts` })
    return [...all, ...messages.items]
  }, [contacts, expanded, hasNextPage, id, messages.items])

  const isOld = list.isPlaceholderData || messages.isOld

  const onChoose = (item: SearchItem) => {
    if (item.kind === 'contact') onSelect(item.contact.id)
    else if (item.kind === 'message') onSelect(item.found.contactId, item.found.messageId)
    else if (item.kind === 'more-messages') messages.fetchMore()
    else if (!expanded) setExpandedFor(search)
    else if (!isFetchingNextPage) void fetchNextPage()
    return item.kind === 'contact' || item.kind === 'message' ? 'opened' : 'stayed'
  }

  return {
    listId: `${id}-results`,
    search,
    items,
    isOld,
    /** Null on success. */
    contactsFailed:
      list.isLoadingError || list.isFetchNextPageError
        ? { error: list.error, askAgain: () => void (list.isLoadingError ? list.refetch() : fetchNextPage()) }
        : null,
    messages,
    ...useResultWalk({ search, items, isOld, onChoose }),
  }
}

export type SearchResultsState = ReturnType<typeof useSearchResults>
