import type { AddConnectionBody, Connection } from '@prosa/contracts/http/connections'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { connectionsQuery, withConnection } from '../../../lib/account/connections.ts'
import { call } from '../../../lib/http/call.ts'
import { ApiProblem, failedBecause } from '../../../lib/http/http.ts'
import { noteServerTime } from '../../../lib/http/server-clock.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

const pollingMs = 5000

export const useConnections = () => useQuery({ ...connectionsQuery, refetchInterval: pollingMs })

export type Network = Connection['network']

const networksQuery = queryOptions({
  queryKey: ['whatsapp', 'networks'],
  queryFn: ({ signal }) => call('GET /api/whatsapp/networks', { signal }),
})

/** Networks to choose from; empty while loading and in production. */
export const useNetworks = (): readonly Network[] =>
  useQuery({ ...networksQuery, enabled: import.meta.env.DEV || import.meta.env.MODE === 'simulator' }).data ?? []

/** Linking starts at once. */
export const useAddConnection = () =>
  useCommand({
    run: (body: AddConnectionBody) => call('POST /api/whatsapp/connections', { body }),
    apply: async (queries, connection) => {
      noteServerTime(connection.serverTime)
      // A pending read may not contain the new connection.
      await queries.cancelQueries({ queryKey: connectionsQuery.queryKey })
      queries.setQueryData(connectionsQuery.queryKey, (known) => withConnection(known ?? [], connection))
    },
    done: { title: 'Conexão iniciada', description: 'Gerando QR Code para conexão...' },
    // The dialog shows why, and the plan to choose.
    failed: (error) =>
      error instanceof ApiProblem && error.status === 402
        ? null
        : failedBecause('Falha ao criar conexão. Tente novamente.', error),
  })

const connectionKeys = [connectionsQuery.queryKey]

export const useRefreshConnection = () =>
  useCommand({
    run: (id: string) => call('POST /api/whatsapp/connections/:id/refresh', { params: { id } }),
    done: { title: 'Conexão atualizada', description: 'Novo QR Code será gerado...' },
    failed: 'Falha ao atualizar conexão. Tente novamente.',
    rereads: connectionKeys,
  })

/** `phone`: 55 and 10 or 11 digits. The code arrives with the connection. */
export const useAskPairingCode = () =>
  useCommand({
    run: ({ id, phone }: { id: string; phone: string }) =>
      call('POST /api/whatsapp/connections/:id/pairing-code', { params: { id }, body: { phone } }),
    rereads: connectionKeys,
  })

/** The dialog calls it a session (specification, 8). */
export const useDisconnect = (name: 'Conexão' | 'Sessão' = 'Conexão') =>
  useCommand({
    run: (id: string) => call('POST /api/whatsapp/connections/:id/disconnect', { params: { id } }),
    done: { title: 'Desconectado', description: `${name} WhatsApp desconectada com sucesso.` },
    failed: 'Falha ao desconectar. Tente novamente.',
    rereads: connectionKeys,
  })

/** Keeps its conversations. */
export const useRemoveConnection = () =>
  useCommand({
    run: (id: string) => call('DELETE /api/whatsapp/connections/:id', { params: { id } }),
    done: 'Conexão excluída. As conversas continuam no Prosa.',
    failed: 'Falha ao excluir conexão. Tente novamente.',
    rereads: connectionKeys,
  })
