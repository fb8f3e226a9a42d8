import type { Label } from '@prosa/contracts/http/labels'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

export type LabelDraft = Pick<Label, 'name' | 'colour'>

const { queryKey } = labelsQuery

const placed = (labels: readonly Label[], label: Label): Label[] =>
  [...labels.filter(({ id }) => id !== label.id), label].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))

export const useSaveLabel = (id: string | undefined) =>
  useCommand({
    run: (body: LabelDraft) =>
      id === undefined ? call('POST /api/labels', { body }) : call('PATCH /api/labels/:id', { params: { id }, body }),
    apply: (queries, label) => queries.setQueryData(queryKey, (known) => known && placed(known, label)),
    done: id === undefined ? 'Etiqueta criada com sucesso!' : 'Etiqueta atualizada com sucesso!',
    failed: id === undefined ? 'Falha ao criar etiqueta' : 'Falha ao atualizar etiqueta',
    rereads: [queryKey],
  })

export const useDeleteLabel = () =>
  useCommand({
    run: (id: string) => call('DELETE /api/labels/:id', { params: { id } }),
    apply: (queries, _reply, deleted) =>
      queries.setQueryData(queryKey, (known) => known?.filter(({ id }) => id !== deleted)),
    done: 'Etiqueta excluída com sucesso!',
    failed: 'Falha ao excluir etiqueta',
    rereads: [queryKey],
  })
