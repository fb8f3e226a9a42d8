import type { FlowStatistics } from '@prosa/contracts/http/flow-runs'
import type { FlowStatus } from '@prosa/contracts/http/flows'
import { queryOptions } from '@tanstack/react-query'
import type { StatusTone } from '../components/status-dot.tsx'
import { call } from './call.ts'
import { count } from './format.ts'
import { pollingPace } from './live-pace.ts'
import { paths } from './paths.ts'

/** All flows of the account, the one that changed last first. Read again wherever they are shown: the editor changes them, too. */
export const flowsQuery = queryOptions({
  queryKey: ['flows', 'list'],
  queryFn: () => call('GET /api/flows'),
  staleTime: 0,
})

const statisticsEveryMs = 10_000

/** Leads and conversion of each flow. */
export const flowStatisticsQuery = queryOptions({
  queryKey: ['flows', 'statistics'],
  queryFn: () => call('GET /api/flow-statistics'),
  staleTime: 0,
  refetchInterval: () => pollingPace(statisticsEveryMs),
})

/** How the states of a flow are shown. */
export const flowStatuses: Record<FlowStatus, { label: string; tone: StatusTone }> = {
  draft: { label: 'Rascunho', tone: 'info' },
  active: { label: 'Ativo', tone: 'good' },
  inactive: { label: 'Inativo', tone: 'busy' },
}

/** The address of the editor of one flow. */
export const flowEditor = (id: string): string => `${paths.flowEditor}/${encodeURIComponent(id)}`

/** What is counted, in a sentence. */
export const leadsSentence =
  'Leads: os contatos com quem o fluxo já conversou. Conversão: quantos deles chegaram ao fim do fluxo ou passaram para uma pessoa.'

/** '37%'; '–' while there is nobody to count. */
export const conversion = ({ leads, converted }: Pick<FlowStatistics, 'leads' | 'converted'>): string =>
  leads === 0 ? '–' : `${count(Math.round((100 * converted) / leads))}%`
