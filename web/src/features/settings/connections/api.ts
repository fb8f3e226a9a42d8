import type { AddConnectionBody, Connection } from '@prosa/contracts/http/connections'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { connectionsQuery, withConnection } from '../../../lib/connections.ts'
import { ApiProblem, failedBecause } from '../../../lib/http.ts'
import { noteServerTime } from '../../../lib/server-clock.ts'
import { useToast } from '../../../lib/toast.tsx'

const pollingMs = 5000

export const useConnections = () => useQuery({ ...connectionsQuery, refetchInterval: pollingMs })

export type Network = Connection['network']

const networksQuery = queryOptions({
  queryKey: ['whatsapp', 'networks'],
  queryFn: () => call('GET /api/whatsapp/networks'),
})

/** Networks to choose from; empty while loading and in production. */
export const useNetworks = (): readonly Network[] =>
  useQuery({ ...networksQuery, enabled: import.meta.env.DEV || import.meta.env.MODE === 'simulator' }).data ?? []

/** Linking starts at once. */
export const useAddConnection = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: AddConnectionBody) => call('POST /api/whatsapp/connections', { body }),
    onSuccess: async (connection) => {
      noteServerTime(connection.serverTime)
      // A pending read may not contain the new connection.
      await queries.cancelQueries({ queryKey: connectionsQuery.queryKey })
      queries.setQueryData(connectionsQuery.queryKey, (known) => withConnection(known ?? [], connection))
      toast({ title: 'Conexão iniciada', description: 'Gerando QR Code para conexão...', kind: 'success' })
    },
    onError: (error) => {
      // The dialog shows why, and the plan to choose.
      if (error instanceof ApiProblem && error.status === 402) return
      const description = failedBecause('Falha ao criar conexão. Tente novamente.', error)
      toast({ title: 'Erro', description, kind: 'error' })
    },
  })
}

type Action = {
  act: (id: string) => Promise<unknown>
  done: { title: string; description: string }
  failed: string
}

const useConnectionAction = ({ act, done, failed }: Action) => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: act,
    onSuccess: () => toast({ ...done, kind: 'success' }),
    onError: (error) => toast({ title: 'Erro', description: failedBecause(failed, error), kind: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  })
}

export const useRefreshConnection = () =>
  useConnectionAction({
    act: (id) => call('POST /api/whatsapp/connections/:id/refresh', { params: { id } }),
    done: { title: 'Conexão atualizada', description: 'Novo QR Code será gerado...' },
    failed: 'Falha ao atualizar conexão. Tente novamente.',
  })

/** `phone`: 55 and 10 or 11 digits. The code arrives with the connection. */
export const useAskPairingCode = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, phone }: { id: string; phone: string }) =>
      call('POST /api/whatsapp/connections/:id/pairing-code', { params: { id }, body: { phone } }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  })
}

/** The dialog calls it a session (specification, 8). */
export const useDisconnect = (name: 'Conexão' | 'Sessão' = 'Conexão') =>
  useConnectionAction({
    act: (id) => call('POST /api/whatsapp/connections/:id/disconnect', { params: { id } }),
    done: { title: 'Desconectado', description: `${name} WhatsApp desconectada com sucesso.` },
    failed: 'Falha ao desconectar. Tente novamente.',
  })

/** Keeps its conversations. */
export const useRemoveConnection = () =>
  useConnectionAction({
    act: (id) => call('DELETE /api/whatsapp/connections/:id', { params: { id } }),
    done: { title: 'Sucesso', description: 'Conexão excluída. As conversas continuam no Prosa.' },
    failed: 'Falha ao excluir conexão. Tente novamente.',
  })
