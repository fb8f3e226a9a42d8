import { useSearchParams } from 'react-router-dom'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import type { HistoryFilters } from './api.ts'
import { groupNames } from './history-words.ts'

interface AddressFilter {
  value: string
  set: (value: string) => void
}

export interface AddressFilters {
  record: AddressFilter
  search: AddressFilter
  group: AddressFilter
  actor: AddressFilter
  from: AddressFilter
  to: AddressFilter
  isAny: boolean
  /** Filtered by more than the record. */
  isNarrowed: boolean
  clear: () => void
  asked: HistoryFilters
}

const useFilter = (name: string): AddressFilter => {
  const [value, set] = useAddressFilter(name)
  return { value, set }
}

const names = ['registro', 'busca', 'assunto', 'autor', 'de', 'ate'] as const

const groupOf = (value: string) =>
  (Object.keys(groupNames) as (keyof typeof groupNames)[]).find((name) => name === value)

export const useHistoryFilters = (): AddressFilters => {
  const [searchParams, setSearchParams] = useSearchParams()
  const [record, search, group, actor, from, to] = [
    useFilter('registro'),
    useFilter('busca'),
    useFilter('assunto'),
    useFilter('autor'),
    useFilter('de'),
    useFilter('ate'),
  ]
  return {
    record,
    search,
    group,
    actor,
    from,
    to,
    isAny: names.some((name) => searchParams.has(name)),
    isNarrowed: names.some((name) => name !== 'registro' && searchParams.has(name)),
    clear: () =>
      setSearchParams(
        (before) => new URLSearchParams([...before].filter(([name]) => !names.some((filter) => filter === name))),
        { preventScrollReset: true },
      ),
    asked: {
      // A search covers all records.
      record: search.value === '' ? record.value || undefined : undefined,
      search: search.value || undefined,
      group: groupOf(group.value),
      actor: actor.value || undefined,
      from: from.value || undefined,
      to: to.value || undefined,
    },
  }
}
