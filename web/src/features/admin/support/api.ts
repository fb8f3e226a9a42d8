import type { ListedSupportRequest } from '@prosa/contracts/http/support'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { refusalOr } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { usePagedList } from '../../../lib/use-paged-list.ts'

export const useSupportRequests = (onlyOpen: boolean) =>
  usePagedList<ListedSupportRequest>({
    queryKey: ['admin', 'support', onlyOpen],
    load: (cursor) =>
      call('GET /api/admin/support-requests', { query: { cursor, open: onlyOpen ? 'true' : undefined } }),
  })

export const useAnswerSupportRequest = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (id: string) => call('POST /api/admin/support-requests/:id/answer', { params: { id } }),
    onSuccess: () => toast({ title: 'Sucesso', description: 'Mensagem marcada como respondida.', kind: 'success' }),
    onError: (error) =>
      toast({
        title: 'Erro',
        description: refusalOr(error, 'Falha ao marcar a mensagem como respondida.'),
        kind: 'error',
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
}
