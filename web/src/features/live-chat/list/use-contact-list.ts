import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contactListQuery } from '../api.ts'
import { dedupeContacts } from './contact-lists.ts'
import { useStandingList } from './use-standing-list.ts'

/** As far as they are loaded, the contacts of one tab, all or those with a label, or those that a search finds in all. While it runs, what stood there stays. It stands still while it is held. */
export const useContactList = (tab: ServiceStatus, search: string, label: string | null) => {
  const list = useInfiniteQuery(
    search === ''
      ? contactListQuery(tab, '', label)
      : { ...contactListQuery(null, search, null), placeholderData: keepPreviousData },
  )
  const read = useMemo(() => dedupeContacts(list.data?.pages.flatMap(({ items }) => items) ?? []), [list.data])
  const { contacts, late, onHold } = useStandingList(read, `${tab} ${label} ${search}`)
  return { ...list, contacts, late, onHold }
}

export type ContactList = ReturnType<typeof useContactList>
