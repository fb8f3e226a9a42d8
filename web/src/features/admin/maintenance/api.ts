import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

const maintenanceKey = ['admin', 'maintenance'] as const
/** No push announces these steps. */
const everyMs = 5000
const whileBuildingMs = 2000

export const parkedWorkQuery = queryOptions({
  queryKey: [...maintenanceKey, 'parked work'],
  queryFn: ({ signal }) => call('GET /api/admin/parked-work', { signal }),
  refetchInterval: everyMs,
  staleTime: 0,
})

export const readModelsQuery = queryOptions({
  queryKey: [...maintenanceKey, 'read models'],
  queryFn: ({ signal }) => call('GET /api/admin/read-models', { signal }),
  refetchInterval: ({ state }) =>
    state.data?.readModels.some(({ state }) => state === 'rebuilding' || state === 'requested')
      ? whileBuildingMs
      : everyMs,
  staleTime: 0,
})

export const flowLinkQuery = (token: string) =>
  queryOptions({
    queryKey: [...maintenanceKey, 'flow link', token],
    queryFn: ({ signal }) => call('GET /api/admin/flow-links/:token', { signal, params: { token } }),
    staleTime: 0,
  })

const useMaintenance = (run: (reason: string) => Promise<unknown>, done: string, failed: string) =>
  useCommand({ run: (reason: string) => run(reason.trim()), done, failed, rereads: [maintenanceKey] })

const bodyOf = (reason: string) => (reason === '' ? {} : { reason })

export const useRetryWork = (id: string) =>
  useMaintenance(
    (reason) => call('POST /api/admin/parked-work/:id/retry', { params: { id }, body: bodyOf(reason) }),
    'O trabalho está sendo tentado de novo.',
    'Falha ao tentar de novo',
  )

export const useReleaseWork = (id: string) =>
  useMaintenance(
    (reason) => call('POST /api/admin/parked-work/:id/release', { params: { id }, body: { reason } }),
    'O evento que falha foi pulado.',
    'Falha ao pular o evento',
  )

export const useRebuild = (name: string) =>
  useMaintenance(
    (reason) => call('POST /api/admin/read-models/:name/rebuild', { params: { name }, body: bodyOf(reason) }),
    'A reconstrução começa em instantes.',
    'Falha ao pedir a reconstrução',
  )

export const useBlockLink = (token: string) =>
  useMaintenance(
    (reason) => call('POST /api/admin/flow-links/:token/block', { params: { token }, body: { reason } }),
    'O link não leva mais a lugar nenhum.',
    'Falha ao bloquear o link',
  )

export const useUnblockLink = (token: string) =>
  useMaintenance(
    (reason) => call('POST /api/admin/flow-links/:token/unblock', { params: { token }, body: { reason } }),
    'O link leva de novo ao seu endereço.',
    'Falha ao desbloquear o link',
  )
