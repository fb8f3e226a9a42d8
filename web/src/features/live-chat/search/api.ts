import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { searchPage } from '../../../lib/http/search-page.ts'

/** Shorter words are in nearly every message. */
const shortestSearch = 2

export const searchesMessages = (text: string): boolean => text.length >= shortestSearch

/** Matches every word, latest first, in all conversations, one, or one connection. Keeps previous results meanwhile. */
export const messageSearchQuery = (
  text: string,
  { contactId, line }: { contactId: string | null; line: string | null },
) =>
  infiniteQueryOptions({
    queryKey: ['live-chat', 'search', text, contactId, line],
    queryFn: ({ pageParam }) => {
      const body = {
        q: text,
        contactId: contactId ?? undefined,
        connectionId: line ?? undefined,
        cursor: pageParam ?? undefined,
      }
      return searchPage('POST /api/whatsapp/search', { body })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: searchesMessages(text),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
