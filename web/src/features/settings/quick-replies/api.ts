import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { quickRepliesQuery } from '../../../lib/quick-replies.ts'
import { useCommand } from '../../../lib/use-command.ts'

export type QuickReplyDraft = Pick<QuickReply, 'shortcut' | 'content' | 'isActive'>

const { queryKey } = quickRepliesQuery

const placed = (replies: readonly QuickReply[], reply: QuickReply): QuickReply[] =>
  [...replies.filter(({ id }) => id !== reply.id), reply].sort((a, b) => a.shortcut.localeCompare(b.shortcut, 'pt-BR'))

const show = (queries: QueryClient, reply: QuickReply) =>
  queries.setQueryData(queryKey, (known) => known && placed(known, reply))

export const useAddQuickReply = () =>
  useCommand({
    run: (draft: QuickReplyDraft) => call('POST /api/quick-replies', { body: draft }),
    apply: show,
    done: 'Resposta rápida criada com sucesso!',
    failed: 'Falha ao criar resposta rápida',
    rereads: [queryKey],
  })

type Change = Partial<QuickReplyDraft> & Pick<QuickReply, 'id'>

/** Optimistic for the switch only: other changes may be refused. */
export const useChangeQuickReply = () =>
  useCommand({
    run: ({ id, ...change }: Change) => call('PATCH /api/quick-replies/:id', { params: { id }, body: change }),
    expect: async (queries, { id, shortcut, isActive }) => {
      if (isActive === undefined || shortcut !== undefined) return
      const turn = (isActive: boolean) =>
        queries.setQueryData(queryKey, (known) =>
          known?.map((reply) => (reply.id === id ? { ...reply, isActive } : reply)),
        )
      await queries.cancelQueries({ queryKey })
      turn(isActive)
      return () => turn(!isActive)
    },
    apply: show,
    done: 'Resposta rápida atualizada com sucesso!',
    failed: 'Falha ao atualizar resposta rápida',
    rereads: [queryKey],
  })

export const useRemoveQuickReply = () =>
  useCommand({
    run: (id: string) => call('DELETE /api/quick-replies/:id', { params: { id } }),
    apply: (queries, _reply, removed) =>
      queries.setQueryData(queryKey, (known) => known?.filter(({ id }) => id !== removed)),
    done: 'Resposta rápida excluída com sucesso!',
    failed: 'Falha ao excluir resposta rápida',
    rereads: [queryKey],
  })
