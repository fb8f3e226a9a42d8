import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { failedBecause } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'

const maintenanceKey = ['admin', 'maintenance'] as const
/** No push announces these steps. */
const everyMs = 5000
const whileBuildingMs = 2000

export const parkedWorkQuery = queryOptions({
  queryKey: [...maintenanceKey, 'parked work'],
  queryFn: () => call('GET /api/admin/parked-work'),
  refetchInterval: everyMs,
  staleTime: 0,
})

export const readModelsQuery = queryOptions({
  queryKey: [...maintenanceKey, 'read models'],
  queryFn: () => call('GET /api/admin/read-models'),
  refetchInterval: ({ state }) =>
    state.data?.readModels.some(({ state }) => state === 'rebuilding' || state === 'requested')
      ? whileBuildingMs
      : everyMs,
  staleTime: 0,
})

export const flowLinkQuery = (token: string) =>
  queryOptions({
    queryKey: [...maintenanceKey, 'flow link', token],
    queryFn: () => call('GET /api/admin/flow-links/:token', { params: { token } }),
    staleTime: 0,
  })

const useOutcomes = (done: string, failed: string) => {
  const toast = useToast()
  const queries = useQueryClient()
  return {
    onSuccess: () => toast({ title: 'Sucesso', description: done, kind: 'success' as const }),
    onError: (error: Error) =>
      toast({ title: 'Erro', description: failedBecause(failed, error), kind: 'error' as const }),
    onSettled: () => queries.invalidateQueries({ queryKey: maintenanceKey }),
  }
}

const bodyOf = (reason: string) => (reason.trim() === '' ? {} : { reason: reason.trim() })

export const useRetryWork = (id: string) =>
  useMutation({
    mutationFn: (reason: string) =>
      call('POST /api/admin/parked-work/:id/retry', { params: { id }, body: bodyOf(reason) }),
    ...useOutcomes('O trabalho está sendo tentado de novo.', 'Falha ao tentar de novo'),
  })

export const useReleaseWork = (id: string) =>
  useMutation({
    mutationFn: (reason: string) =>
      call('POST /api/admin/parked-work/:id/release', { params: { id }, body: { reason: reason.trim() } }),
    ...useOutcomes('O evento que falha foi pulado.', 'Falha ao pular o evento'),
  })

export const useRebuild = (name: string) =>
  useMutation({
    mutationFn: (reason: string) =>
      call('POST /api/admin/read-models/:name/rebuild', { params: { name }, body: bodyOf(reason) }),
    ...useOutcomes('A reconstrução começa em instantes.', 'Falha ao pedir a reconstrução'),
  })

export const useBlockLink = (token: string) =>
  useMutation({
    mutationFn: (reason: string) =>
      call('POST /api/admin/flow-links/:token/block', { params: { token }, body: { reason: reason.trim() } }),
    ...useOutcomes('O link não leva mais a lugar nenhum.', 'Falha ao bloquear o link'),
  })

export const useUnblockLink = (token: string) =>
  useMutation({
    mutationFn: (reason: string) =>
      call('POST /api/admin/flow-links/:token/unblock', { params: { token }, body: { reason: reason.trim() } }),
    ...useOutcomes('O link leva de novo ao seu endereço.', 'Falha ao desbloquear o link'),
  })
