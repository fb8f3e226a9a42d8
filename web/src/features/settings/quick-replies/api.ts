import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { failedBecause } from '../../../lib/http.ts'
import { quickRepliesQuery } from '../../../lib/quick-replies.ts'
import { useToast } from '../../../lib/toast.tsx'

export type QuickReplyDraft = Pick<QuickReply, 'shortcut' | 'content' | 'isActive'>

const { queryKey } = quickRepliesQuery

const useOutcomes = (done: string, failed: string) => {
  const toast = useToast()
  return {
    onDone: () => toast({ title: 'Sucesso', description: done, kind: 'success' }),
    onFailed: (error: unknown) => toast({ title: 'Erro', description: failedBecause(failed, error), kind: 'error' }),
  }
}

const placed = (replies: readonly QuickReply[], reply: QuickReply): QuickReply[] =>
  [...replies.filter(({ id }) => id !== reply.id), reply].sort((a, b) => a.shortcut.localeCompare(b.shortcut, 'pt-BR'))

export const useAddQuickReply = () => {
  const queries = useQueryClient()
  const { onDone, onFailed } = useOutcomes('Resposta rápida criada com sucesso!', 'Falha ao criar resposta rápida')
  return useMutation({
    mutationFn: (draft: QuickReplyDraft) => call('POST /api/quick-replies', { body: draft }),
    onSuccess: (reply) => {
      queries.setQueryData(queryKey, (known) => known && placed(known, reply))
      onDone()
    },
    onError: onFailed,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

type Change = Partial<QuickReplyDraft> & Pick<QuickReply, 'id'>

/** Optimistic for the switch only: other changes may be refused. */
export const useChangeQuickReply = () => {
  const queries = useQueryClient()
  const { onDone, onFailed } = useOutcomes(
    'Resposta rápida atualizada com sucesso!',
    'Falha ao atualizar resposta rápida',
  )
  const switchTo = (id: string, isActive: boolean) =>
    queries.setQueryData(queryKey, (known) => known?.map((reply) => (reply.id === id ? { ...reply, isActive } : reply)))
  return useMutation({
    mutationFn: ({ id, ...change }: Change) => call('PATCH /api/quick-replies/:id', { params: { id }, body: change }),
    onMutate: async ({ id, shortcut, isActive }) => {
      if (isActive === undefined || shortcut !== undefined) return null
      await queries.cancelQueries({ queryKey })
      switchTo(id, isActive)
      return { wasActive: !isActive }
    },
    onSuccess: (reply) => {
      queries.setQueryData(queryKey, (known) => known && placed(known, reply))
      onDone()
    },
    onError: (error, { id }, before) => {
      if (before) switchTo(id, before.wasActive)
      onFailed(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

export const useRemoveQuickReply = () => {
  const queries = useQueryClient()
  const { onDone, onFailed } = useOutcomes('Resposta rápida excluída com sucesso!', 'Falha ao excluir resposta rápida')
  return useMutation({
    mutationFn: (id: string) => call('DELETE /api/quick-replies/:id', { params: { id } }),
    onSuccess: (_reply, removed) => {
      queries.setQueryData(queryKey, (known) => known?.filter(({ id }) => id !== removed))
      onDone()
    },
    onError: onFailed,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
