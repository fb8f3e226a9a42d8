import type { FlowStatus } from '@prosa/contracts/http/flows'
import { useSearchParams } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { useAddressFilter } from '../../lib/use-address-filter.ts'
import type { FlowFilters } from './found-flows.ts'

export const flowTabs = ['pastas', 'fluxos'] as const
export type FlowTab = (typeof flowTabs)[number]

const statuses: readonly FlowStatus[] = ['draft', 'active', 'inactive']

/** The address of a tab, with nothing but these filters; the first tab is what `/conversation-flows` itself shows. */
export const flowsTab = (tab: FlowTab, filters: Record<string, string> = {}): string => {
  const query = new URLSearchParams({ ...(tab !== 'pastas' && { aba: tab }), ...filters })
  return query.size === 0 ? paths.conversationFlows : `${paths.conversationFlows}?${query}`
}

/** The address of a folder: the flows in it. */
export const flowFolder = (id: string): string => flowsTab('fluxos', { pasta: id })

/** The open tab and the filters, all of which the address names. */
export const useFlowFilters = () => {
  const [searchParams, setSearchParams] = useSearchParams()
  const [search, setSearch] = useAddressFilter('busca')
  const [statusText, setStatus] = useAddressFilter('status')
  const [folder, setFolder] = useAddressFilter('pasta')
  const [from, setFrom] = useAddressFilter('de')
  const [to, setTo] = useAddressFilter('ate')
  const tab: FlowTab = flowTabs.find((name) => name === searchParams.get('aba')) ?? 'pastas'
  const status = statuses.find((known) => known === statusText) ?? ''
  const filters: FlowFilters = { search, status, folder, from, to }
  return {
    tab,
    filters,
    setSearch,
    setStatus,
    setFolder,
    setFrom,
    setTo,
    /** Beside the search. */
    isFiltered: [status, folder, from, to].some((value) => value !== ''),
    clear: () => setSearchParams(tab === 'pastas' ? {} : { aba: tab }, { replace: true, preventScrollReset: true }),
    /** The address of a tab with the same filters. */
    tabAddress: (name: FlowTab) => {
      const { aba: _, ...others } = Object.fromEntries(searchParams)
      return flowsTab(name, others)
    },
  }
}
