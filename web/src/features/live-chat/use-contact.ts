import type { Contact } from '@prosa/contracts/http/live-chat'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Page } from '../../lib/http.ts'
import { contactQuery, keys } from './api.ts'

/** Null when it does not exist; shows data of the lists until its own query loads. */
export const useContact = (id: string | null) => {
  const client = useQueryClient()
  return useQuery({
    ...contactQuery(id ?? ''),
    enabled: id !== null,
    placeholderData: () => {
      const lists = client.getQueriesData<InfiniteData<Page<Contact>>>({ queryKey: keys.lists })
      for (const [, list] of lists) {
        const known = list?.pages.flatMap(({ items }) => items).find((contact) => contact.id === id)
        if (known) return known
      }
      return undefined
    },
  })
}
