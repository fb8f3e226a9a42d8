import type { MessageFound } from '@prosa/contracts/http/live-chat'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { getPage } from '../../../lib/http.ts'

/** Shorter words are in nearly every message. */
const shortestSearch = 2

/** True when the text is worth looking for in messages. */
export const searchesMessages = (text: string): boolean => text.length >= shortestSearch

/**
 * The messages with every word of the text, of all conversations or of one, the latest first. What was found before stays
 * meanwhile.
 */
export const messageSearchQuery = (text: string, contactId: string | null = null) =>
  infiniteQueryOptions({
    queryKey: ['live-chat', 'search', text, contactId],
    queryFn: ({ pageParam }) => {
      const asked = {
        q: text,
        ...(contactId !== null && { contactId }),
        ...(pageParam !== null && { cursor: pageParam }),
      }
      return getPage<MessageFound>(`/api/whatsapp/search?${new URLSearchParams(asked)}`)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: searchesMessages(text),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
