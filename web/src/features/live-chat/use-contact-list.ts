import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contactListQuery } from './api.ts'
import { dedupeContacts } from './contact-lists.ts'

/** The contacts of one tab as far as they are loaded. While a search runs, what stood there stays. */
export const useContactList = (status: ServiceStatus, search: string) => {
  const list = useInfiniteQuery({
    ...contactListQuery(status, search),
    placeholderData: (previous, query) => (query?.queryKey[2] === status ? previous : undefined),
  })
  const contacts = useMemo(() => dedupeContacts(list.data?.pages.flatMap(({ items }) => items) ?? []), [list.data])
  return { ...list, contacts }
}

export type ContactList = ReturnType<typeof useContactList>
