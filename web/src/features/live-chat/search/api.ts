import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callPage } from '../../../lib/http/call.ts'

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
    queryFn: ({ pageParam, signal }) => {
      const query = {
        q: text,
        contactId: contactId ?? undefined,
        connectionId: line ?? undefined,
        cursor: pageParam ?? undefined,
      }
      return callPage('GET /api/whatsapp/search', { query, signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: searchesMessages(text),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
