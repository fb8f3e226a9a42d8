import type { FlowStatus } from '@prosa/contracts/http/flows'
import { useSearchParams } from 'react-router-dom'
import { useAddressFilter } from '../../lib/forms/use-address-filter.ts'
import { paths } from '../../lib/paths.ts'
import type { FlowFilters } from './found-flows.ts'

export const flowTabs = ['pastas', 'fluxos', 'quem-responde'] as const
export type FlowTab = (typeof flowTabs)[number]

const statuses: readonly FlowStatus[] = ['draft', 'active', 'inactive']

export const flowsTab = (tab: FlowTab, filters: Record<string, string> = {}): string => {
  const query = new URLSearchParams({ ...(tab !== 'pastas' && { aba: tab }), ...filters })
  return query.size === 0 ? paths.conversationFlows : `${paths.conversationFlows}?${query}`
}

export const flowFolder = (id: string): string => flowsTab('fluxos', { pasta: id })

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
    /** Apart from the search. */
    isFiltered: [status, folder, from, to].some((value) => value !== ''),
    clear: () => setSearchParams(tab === 'pastas' ? {} : { aba: tab }, { replace: true, preventScrollReset: true }),
    tabAddress: (name: FlowTab) => {
      const { aba: _, ...others } = Object.fromEntries(searchParams)
      return flowsTab(name, others)
    },
  }
}
