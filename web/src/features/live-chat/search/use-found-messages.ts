import type { MessageFound } from '@prosa/contracts/http/live-chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { messageSearchQuery, searchesMessages } from './api.ts'

export type MessageItem =
  | { kind: 'message'; domId: string; found: MessageFound }
  | { kind: 'more-messages'; domId: string }

/** None while the search is too short. */
export const useFoundMessages = (search: string, within: { contactId?: string | null; line?: string | null } = {}) => {
  const id = useId()
  const searched = searchesMessages(search)
  const query = useInfiniteQuery(
    messageSearchQuery(search, { contactId: within.contactId ?? null, line: within.line ?? null }),
  )
  const { data, hasNextPage, isPlaceholderData } = query
  const items = useMemo(() => {
    if (!searched) return []
    const all: MessageItem[] = (data?.pages ?? []).flatMap(({ items }) =>
      items.map((found) => ({ kind: 'message', domId: `${id}-${found.contactId}-${found.messageId}`, found })),
    )
    if (hasNextPage) all.push({ kind: 'more-messages', domId: `${id}-messages` })
    return all
  }, [data, hasNextPage, id, searched])

  return {
    items,
    searched,
    /** Results of an older search. */
    isOld: searched && isPlaceholderData,
    isPending: searched && query.isPending,
    failed:
      searched && query.isError
        ? { error: query.error, askAgain: () => void (data ? query.fetchNextPage() : query.refetch()) }
        : null,
    hasMore: hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => {
      if (!query.isFetchingNextPage) void query.fetchNextPage()
    },
  }
}

export type FoundMessages = ReturnType<typeof useFoundMessages>
