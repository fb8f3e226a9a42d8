import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { thenParameters } from '../../../lib/past-addresses.ts'
import type { HistoryFilters } from './api.ts'
import { groupNames } from './history-words.ts'

interface AddressFilter {
  value: string
  set: (value: string) => void
}

export interface AddressFilters {
  record: AddressFilter
  /** Codes are in the address; names, e-mails and reasons only in this page. */
  search: AddressFilter
  tenant: AddressFilter
  group: AddressFilter
  actor: AddressFilter
  from: AddressFilter
  to: AddressFilter
  isAny: boolean
  /** Filtered by more than the record. */
  isNarrowed: boolean
  clear: () => void
  /** Instead of what was searched. */
  openRecord: (key: string) => void
  /** Everything of a tenant, or of all again. */
  openTenant: (id: string) => void
  asked: HistoryFilters
}

const useFilter = (name: string): AddressFilter => {
  const [value, set] = useAddressFilter(name)
  return { value, set }
}

const useRecord = (): AddressFilter => {
  const [value, set] = useAddressFilter('registro', thenParameters)
  return { value, set }
}

const names: readonly string[] = ['registro', 'busca', 'conta', 'assunto', 'autor', 'de', 'ate']

/** With letters and digits: a phone number is personal. */
const isCode = (text: string) => /^[\w.:-]{1,100}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text)

const groupOf = (value: string) =>
  (Object.keys(groupNames) as (keyof typeof groupNames)[]).find((name) => name === value)

export const useHistoryFilters = (): AddressFilters => {
  const [searchParams, setSearchParams] = useSearchParams()
  const [text, setText] = useState('')
  const [record, code, tenant, group, actor, from, to] = [
    useRecord(),
    useFilter('busca'),
    useFilter('conta'),
    useFilter('assunto'),
    useFilter('autor'),
    useFilter('de'),
    useFilter('ate'),
  ]
  const show = (name: 'registro' | 'conta', value: string) => {
    setText('')
    setSearchParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const each of ['registro', 'busca', 'conta', ...thenParameters]) after.delete(each)
        if (value !== '') after.set(name, value)
        return after
      },
      { preventScrollReset: true },
    )
  }
  const search = {
    value: text || code.value,
    set: (typed: string) => {
      const inAddress = isCode(typed) ? typed : ''
      setText(inAddress === '' ? typed : '')
      if (inAddress !== code.value) code.set(inAddress)
    },
  }
  return {
    record,
    search,
    tenant,
    group,
    actor,
    from,
    to,
    isAny: text !== '' || names.some((name) => searchParams.has(name)),
    isNarrowed: text !== '' || names.some((name) => name !== 'registro' && searchParams.has(name)),
    clear: () => {
      setText('')
      setSearchParams(
        (before) => new URLSearchParams([...before].filter(([name]) => ![...names, ...thenParameters].includes(name))),
        { preventScrollReset: true },
      )
    },
    openRecord: (key) => show('registro', key),
    openTenant: (id) => show('conta', id),
    asked: {
      // A search covers all records.
      record: search.value === '' ? record.value || undefined : undefined,
      search: (text === '' && code.value) || undefined,
      text: text || undefined,
      tenant: tenant.value || undefined,
      group: groupOf(group.value),
      actor: actor.value || undefined,
      from: from.value || undefined,
      to: to.value || undefined,
    },
  }
}
