import type { Label } from '@prosa/contracts/http/labels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { failedBecause } from '../../../lib/http.ts'
import { labelsQuery } from '../../../lib/labels.ts'
import { useToast } from '../../../lib/toast.tsx'

export type LabelDraft = Pick<Label, 'name' | 'colour'>

const { queryKey } = labelsQuery

const useOutcomes = (done: string, failed: string) => {
  const toast = useToast()
  return {
    onDone: () => toast({ title: 'Sucesso', description: done, kind: 'success' }),
    onFailed: (error: unknown) => toast({ title: 'Erro', description: failedBecause(failed, error), kind: 'error' }),
  }
}

const placed = (labels: readonly Label[], label: Label): Label[] =>
  [...labels.filter(({ id }) => id !== label.id), label].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))

export const useSaveLabel = (id: string | undefined) => {
  const queries = useQueryClient()
  const { onDone, onFailed } = useOutcomes(
    id === undefined ? 'Etiqueta criada com sucesso!' : 'Etiqueta atualizada com sucesso!',
    id === undefined ? 'Falha ao criar etiqueta' : 'Falha ao atualizar etiqueta',
  )
  return useMutation({
    mutationFn: (body: LabelDraft) =>
      id === undefined ? call('POST /api/labels', { body }) : call('PATCH /api/labels/:id', { params: { id }, body }),
    onSuccess: (label) => {
      queries.setQueryData(queryKey, (known) => known && placed(known, label))
      onDone()
    },
    onError: onFailed,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

export const useDeleteLabel = () => {
  const queries = useQueryClient()
  const { onDone, onFailed } = useOutcomes('Etiqueta excluída com sucesso!', 'Falha ao excluir etiqueta')
  return useMutation({
    mutationFn: (id: string) => call('DELETE /api/labels/:id', { params: { id } }),
    onSuccess: (_reply, deleted) => {
      queries.setQueryData(queryKey, (known) => known?.filter(({ id }) => id !== deleted))
      onDone()
    },
    onError: onFailed,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
