import type { AddConnectionBody, Connection } from '@prosa/contracts/http/connections'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { connectionsQuery, withConnection } from '../../../lib/connections.ts'
import { ApiProblem, request } from '../../../lib/http.ts'
import { noteServerTime } from '../../../lib/server-clock.ts'
import { useToast } from '../../../lib/toast.tsx'

const pollingMs = 5000

/** The list of connections, polled beside the pushes while it is in view. */
export const useConnections = () => useQuery({ ...connectionsQuery, refetchInterval: pollingMs })

/** A refusal says itself what to do; of a failure inside Prosa the sentence of the specification, 8, is said. */
const sentenceFor = (error: unknown, failed: string) =>
  error instanceof ApiProblem && error.status < 500 ? error.title : failed

/** POST /api/whatsapp/connections: starts linking a number at once. */
export const useAddConnection = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: AddConnectionBody) => request<Connection>('POST', '/api/whatsapp/connections', body),
    onSuccess: (connection) => {
      noteServerTime(connection.serverTime)
      queries.setQueryData(connectionsQuery.queryKey, (known) => withConnection(known ?? [], connection))
      toast({ title: 'Conexão iniciada', description: 'Gerando QR Code para conexão...', kind: 'success' })
    },
    onError: (error) =>
      toast({
        title: 'Erro',
        description: sentenceFor(error, 'Falha ao criar conexão. Tente novamente.'),
        kind: 'error',
      }),
  })
}

type Action = {
  call: (id: string) => Promise<unknown>
  done: { title: string; description: string }
  failed: string
}

const useConnectionAction = ({ call, done, failed }: Action) => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: call,
    onSuccess: () => toast({ ...done, kind: 'success' }),
    onError: (error) => toast({ title: 'Erro', description: sentenceFor(error, failed), kind: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  })
}

/** Asks WhatsApp for new QR codes. */
export const useRefreshConnection = () =>
  useConnectionAction({
    call: (id) => request('POST', `/api/whatsapp/connections/${id}/refresh`),
    done: { title: 'Conexão atualizada', description: 'Novo QR Code será gerado...' },
    failed: 'Falha ao atualizar conexão. Tente novamente.',
  })

/** Unlinks the number. */
export const useDisconnect = () =>
  useConnectionAction({
    call: (id) => request('POST', `/api/whatsapp/connections/${id}/disconnect`),
    done: { title: 'Desconectado', description: 'Conexão WhatsApp desconectada com sucesso.' },
    failed: 'Falha ao desconectar. Tente novamente.',
  })

/** Removes the connection; its conversations stay. */
export const useRemoveConnection = () =>
  useConnectionAction({
    call: (id) => request('DELETE', `/api/whatsapp/connections/${id}`),
    done: { title: 'Sucesso', description: 'Conexão excluída. As conversas continuam no Prosa.' },
    failed: 'Falha ao excluir conexão. Tente novamente.',
  })
