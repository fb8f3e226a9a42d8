import type { FlowStatistics } from '@prosa/contracts/http/flow-runs'
import type { FlowStatus } from '@prosa/contracts/http/flows'
import { queryOptions } from '@tanstack/react-query'
import { count } from '../format/format.ts'
import type { StatusTone } from '../format/status-tone.ts'
import { call } from '../http/call.ts'
import { paths } from '../paths.ts'
import { pollingPace } from '../realtime/live-pace.ts'

/** Last changed first. The editor changes flows, hence refetched wherever shown. */
export const flowsQuery = queryOptions({
  queryKey: ['flows', 'list'],
  queryFn: ({ signal }) => call('GET /api/flows', { signal }),
  staleTime: 0,
})

const statisticsEveryMs = 10_000

export const flowStatisticsQuery = queryOptions({
  queryKey: ['flows', 'statistics'],
  queryFn: ({ signal }) => call('GET /api/flow-statistics', { signal }),
  staleTime: 0,
  refetchInterval: () => pollingPace(statisticsEveryMs),
})

export const flowStatuses: Record<FlowStatus, { label: string; tone: StatusTone }> = {
  draft: { label: 'Rascunho', tone: 'info' },
  active: { label: 'Ativo', tone: 'good' },
  inactive: { label: 'Inativo', tone: 'busy' },
}

export const flowEditor = (id: string): string => `${paths.flowEditor}/${encodeURIComponent(id)}`

export const leadsSentence =
  'Leads: os contatos com quem o fluxo já conversou. Conversão: quantos deles chegaram ao fim do fluxo ou passaram para uma pessoa.'

/** '37%'; '–' without leads. */
export const conversion = ({ leads, converted }: Pick<FlowStatistics, 'leads' | 'converted'>): string =>
  leads === 0 ? '–' : `${count(Math.round((100 * converted) / leads))}%`
