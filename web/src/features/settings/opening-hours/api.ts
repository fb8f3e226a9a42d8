import type { OpeningHoursShown } from '@prosa/contracts/http/opening-hours'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { failedBecause } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'

export type HoursDraft = Pick<OpeningHoursShown, 'timeZone' | 'week' | 'holidays'>
export type OutOfHoursReply = OpeningHoursShown['reply']

const pollingMs = 60_000

const asRead = (hours: OpeningHoursShown) => ({ ...hours, readAt: new Date().toISOString() })

export const openingHoursQuery = queryOptions({
  queryKey: ['opening-hours'],
  queryFn: async () => asRead(await call('GET /api/opening-hours')),
  refetchInterval: pollingMs,
})

const useKept = (done: string, failed: string) => {
  const queries = useQueryClient()
  const toast = useToast()
  return {
    onSuccess: (hours: OpeningHoursShown) => {
      queries.setQueryData(openingHoursQuery.queryKey, asRead(hours))
      toast({ title: 'Sucesso', description: done, kind: 'success' })
    },
    onError: (error: unknown) => toast({ title: 'Erro', description: failedBecause(failed, error), kind: 'error' }),
  }
}

export const useSetOpeningHours = () =>
  useMutation({
    mutationFn: (draft: HoursDraft) => call('PUT /api/opening-hours', { body: draft }),
    ...useKept('Horários salvos com sucesso!', 'Falha ao salvar os horários'),
  })

export const useSetOutOfHoursReply = () =>
  useMutation({
    mutationFn: (change: Partial<OutOfHoursReply>) => call('PATCH /api/opening-hours/reply', { body: change }),
    ...useKept('Resposta automática salva com sucesso!', 'Falha ao salvar a resposta automática'),
  })
