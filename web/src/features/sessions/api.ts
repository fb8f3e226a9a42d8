import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { ApiProblem, serverSentenceOr } from '../../lib/http/http.ts'
import { useCommand } from '../../lib/http/use-command.ts'
import { useSocketEvent } from '../../lib/realtime/socket.tsx'

/** Specification, 9. */
const pollingMs = 5000

const sessionsQuery = queryOptions({
  queryKey: ['whatsapp', 'sessions'],
  queryFn: ({ signal }) => call('GET /api/whatsapp/sessions', { signal }),
  staleTime: 0,
})

export const useSessions = () => {
  const queries = useQueryClient()
  const { queryKey } = sessionsQuery
  useSocketEvent('session_status_update', ({ token, ...changes }) => {
    const known = queries.getQueryData(queryKey)
    // Added elsewhere; the push does not carry its name.
    if (!known?.some((session) => session.token === token)) void queries.invalidateQueries({ queryKey })
    else
      queries.setQueryData(
        queryKey,
        known.map((session) => (session.token === token ? { ...session, ...changes } : session)),
      )
  })
  useSocketEvent('whatsapp:connection_removed', ({ connectionId }) => {
    queries.setQueryData(queryKey, (known) => known?.filter(({ token }) => token !== connectionId))
  })
  return useQuery({ ...sessionsQuery, refetchInterval: pollingMs })
}

/** Faster polling: a person waits for the code with the phone in hand. */
const awaitedCodeMs = 2000

/** An image source, or null; codes rotate about every 20 s. */
export const useSessionQrCode = (token: string, enabled: boolean) =>
  useQuery({
    queryKey: ['whatsapp', 'qr', token],
    queryFn: ({ signal }) =>
      call('GET /api/whatsapp/qr/:token', { signal, params: { token } }).then(
        ({ qrCode }): string | null => qrCode,
        (error: unknown) => {
          if (error instanceof ApiProblem && error.type === 'qr_code_not_ready') return null
          throw error
        },
      ),
    enabled,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? pollingMs : awaitedCodeMs),
  })

/** Linking starts at once. */
export const useAddSession = () =>
  useCommand({
    run: (name: string) => call('POST /api/whatsapp/create-session', { body: { name } }),
    apply: (queries, session) =>
      queries.setQueryData(sessionsQuery.queryKey, (known) => [
        ...(known ?? []).filter(({ token }) => token !== session.token),
        session,
      ]),
    done: { title: 'Sessão criada', description: 'Gerando QR Code para conexão...' },
    failed: (error) => serverSentenceOr(error, 'Falha ao criar sessão'),
  })

/** Unlinks the number, keeps the conversations. */
export const useRemoveSession = () =>
  useCommand({
    run: (token: string) => call('DELETE /api/whatsapp/session/:token', { params: { token } }),
    apply: (queries, _reply, removed) =>
      queries.setQueryData(sessionsQuery.queryKey, (known) => known?.filter(({ token }) => token !== removed)),
    done: { title: 'Sessão removida', description: 'As conversas continuam no Prosa.' },
    failed: (error) => serverSentenceOr(error, 'Falha ao remover sessão'),
    rereads: [sessionsQuery.queryKey],
  })

/** A token is the id of a connection. */
export const useRenewQrCode = () =>
  useCommand({
    run: (token: string) => call('POST /api/whatsapp/connections/:id/refresh', { params: { id: token } }),
    failed: (error) => serverSentenceOr(error, 'Falha ao atualizar conexão. Tente novamente.'),
    rereads: (token) => [sessionsQuery.queryKey, ['whatsapp', 'qr', token]],
  })
