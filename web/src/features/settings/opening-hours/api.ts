import type { OpeningHoursShown } from '@prosa/contracts/http/opening-hours'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

export type HoursDraft = Pick<OpeningHoursShown, 'timeZone' | 'week' | 'holidays'>
export type OutOfHoursReply = OpeningHoursShown['reply']

const pollingMs = 60_000

const asRead = (hours: OpeningHoursShown) => ({ ...hours, readAt: new Date().toISOString() })

export const openingHoursQuery = queryOptions({
  queryKey: ['opening-hours'],
  queryFn: async ({ signal }) => asRead(await call('GET /api/opening-hours', { signal })),
  refetchInterval: pollingMs,
})

export const readHoursThen = async (em: string, signal: AbortSignal) =>
  asRead(await call('GET /api/opening-hours', { query: { em }, signal }))

const useHoursCommand = <Input>(run: (input: Input) => Promise<OpeningHoursShown>, done: string, failed: string) =>
  useCommand({
    run,
    apply: (queries, hours) => queries.setQueryData(openingHoursQuery.queryKey, asRead(hours)),
    done,
    failed,
  })

export const useSetOpeningHours = () =>
  useHoursCommand(
    (draft: HoursDraft) => call('PUT /api/opening-hours', { body: draft }),
    'Horários salvos com sucesso!',
    'Falha ao salvar os horários',
  )

export const useSetOutOfHoursReply = () =>
  useHoursCommand(
    (change: Partial<OutOfHoursReply>) => call('PATCH /api/opening-hours/reply', { body: change }),
    'Resposta automática salva com sucesso!',
    'Falha ao salvar a resposta automática',
  )
