import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import type { QueryClient } from '@tanstack/react-query'
import { quickRepliesQuery } from '../../../lib/account/quick-replies.ts'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

export type QuickReplyDraft = Pick<QuickReply, 'shortcut' | 'content' | 'isActive'>

const { queryKey } = quickRepliesQuery

const changed = 'Resposta rápida atualizada com sucesso!'
const notChanged = 'Falha ao atualizar resposta rápida'

const placed = (replies: readonly QuickReply[], reply: QuickReply): QuickReply[] =>
  [...replies.filter(({ id }) => id !== reply.id), reply].sort((a, b) => a.shortcut.localeCompare(b.shortcut, 'pt-BR'))

const show = (queries: QueryClient, reply: QuickReply) =>
  queries.setQueryData(queryKey, (known) => known && placed(known, reply))

/** Creates a quick reply, or changes the one with this id. */
export const useSaveQuickReply = (id: string | undefined) =>
  useCommand({
    run: (body: QuickReplyDraft) =>
      id === undefined
        ? call('POST /api/quick-replies', { body })
        : call('PATCH /api/quick-replies/:id', { params: { id }, body }),
    apply: show,
    done: id === undefined ? 'Resposta rápida criada com sucesso!' : changed,
    failed: id === undefined ? 'Falha ao criar resposta rápida' : notChanged,
    rereads: [queryKey],
  })

export const useTurnQuickReply = (id: string) =>
  useCommand({
    run: (isActive: boolean) => call('PATCH /api/quick-replies/:id', { params: { id }, body: { isActive } }),
    expect: async (queries, isActive) => {
      const turn = (isActive: boolean) =>
        queries.setQueryData(queryKey, (known) =>
          known?.map((reply) => (reply.id === id ? { ...reply, isActive } : reply)),
        )
      await queries.cancelQueries({ queryKey })
      turn(isActive)
      return () => turn(!isActive)
    },
    apply: show,
    done: changed,
    failed: notChanged,
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
