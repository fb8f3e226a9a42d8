import type { Label } from '@prosa/contracts/http/labels'
import { type LabelColour, labelColours } from '@prosa/contracts/values/label-colour'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../http/call.ts'
import { ApiProblem } from '../http/http.ts'
import { useCommand } from '../http/use-command.ts'
import { labelNamed, labelsQuery } from './labels.ts'

export type LabelDraft = Pick<Label, 'name' | 'colour'>

const { queryKey } = labelsQuery

const placed = (labels: readonly Label[], label: Label): Label[] =>
  [...labels.filter(({ id }) => id !== label.id), label].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))

/** The least used colour; the first of several. */
export const rarestColour = (labels: readonly Label[]): LabelColour => {
  const count = (colour: LabelColour) => labels.filter((label) => label.colour === colour).length
  // Grey means no colour.
  const [, first, ...others] = labelColours
  return others.reduce<LabelColour>((rarest, colour) => (count(colour) < count(rarest) ? colour : rarest), first)
}

const showSaved = (queries: QueryClient, label: Label) =>
  queries.setQueryData(queryKey, (known) => known && placed(known, label))

/** Without `id` it creates one. */
export const useSaveLabel = (id: string | undefined) =>
  useCommand({
    run: (body: LabelDraft) =>
      id === undefined ? call('POST /api/labels', { body }) : call('PATCH /api/labels/:id', { params: { id }, body }),
    apply: showSaved,
    done: id === undefined ? 'Etiqueta criada com sucesso!' : 'Etiqueta atualizada com sucesso!',
    failed: id === undefined ? 'Falha ao criar etiqueta' : 'Falha ao atualizar etiqueta',
    rereads: [queryKey],
  })

/** Replies with the one of that name where it was created meanwhile, in another tab or by a colleague. */
export const useNamedLabel = () =>
  useCommand({
    run: async (body: LabelDraft, queries) => {
      try {
        return await call('POST /api/labels', { body })
      } catch (error) {
        const isTaken = error instanceof ApiProblem && error.type === 'label_name_taken'
        const known = isTaken && labelNamed(await queries.fetchQuery({ ...labelsQuery, staleTime: 0 }), body.name)
        if (known) return known
        throw error
      }
    },
    apply: showSaved,
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
