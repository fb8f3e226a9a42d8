import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contactListQuery } from '../api.ts'
import { dedupeContacts } from './contact-lists.ts'
import type { ListFilter } from './list-filter.ts'
import { useStandingList } from './use-standing-list.ts'

/** As far as they are loaded, the contacts of one tab that the filter lets through, or those that a search finds in all, whatever their labels. While it runs, what stood there stays. It stands still while it is held. */
export const useContactList = (tab: ServiceStatus, search: string, { label, line }: ListFilter) => {
  const list = useInfiniteQuery(
    search === ''
      ? contactListQuery(tab, '', { label, line })
      : { ...contactListQuery(null, search, { label: null, line }), placeholderData: keepPreviousData },
  )
  const read = useMemo(() => dedupeContacts(list.data?.pages.flatMap(({ items }) => items) ?? []), [list.data])
  const { contacts, late, onHold } = useStandingList(read, `${tab} ${label} ${line} ${search}`)
  return { ...list, contacts, late, onHold }
}

export type ContactList = ReturnType<typeof useContactList>
