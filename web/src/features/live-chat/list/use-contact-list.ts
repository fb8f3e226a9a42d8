import type { Queue } from '@prosa/contracts/http/live-chat'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contactListQuery } from '../api.ts'
import { dedupeContacts } from './contact-lists.ts'
import type { ListFilter } from './list-filter.ts'
import { useFrozenList } from './use-frozen-list.ts'

/** A tab's filtered contacts, or a search in all tabs that ignores labels. Keeps previous rows while loading; does not move while held. */
export const useContactList = (tab: Queue, search: string, { label, line }: ListFilter) => {
  const list = useInfiniteQuery(
    search === ''
      ? contactListQuery(tab, '', { label, line })
      : { ...contactListQuery(null, search, { label: null, line }), placeholderData: keepPreviousData },
  )
  const read = useMemo(() => dedupeContacts(list.data?.pages.flatMap(({ items }) => items) ?? []), [list.data])
  const { contacts, late, onFreeze } = useFrozenList(read, `${tab} ${label} ${line} ${search}`)
  return { ...list, contacts, late, onFreeze }
}

export type ContactList = ReturnType<typeof useContactList>
