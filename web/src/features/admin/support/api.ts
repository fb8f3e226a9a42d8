import type { ListedSupportRequest } from '@prosa/contracts/http/accounts/support'
import { call } from '../../../lib/http/call.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { useAdminCommand } from '../use-admin-command.ts'

export const useSupportRequests = (onlyOpen: boolean) =>
  usePagedList<ListedSupportRequest>({
    queryKey: ['admin', 'support', onlyOpen],
    load: (cursor, signal) =>
      call('GET /api/admin/support-requests', { signal, query: { cursor, open: onlyOpen ? 'true' : undefined } }),
  })

export const useAnswerSupportRequest = () =>
  useAdminCommand(
    (id: string) => call('POST /api/admin/support-requests/:id/answer', { params: { id } }),
    'Mensagem marcada como respondida.',
    'Falha ao marcar a mensagem como respondida.',
  )
