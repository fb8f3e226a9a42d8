import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { ApiProblem, refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { useToast } from '../../../lib/toast.ts'
import { flowCheckQuery, flowNamesQuery, flowQuery } from '../api.ts'
import type { FlowChoices } from '../dialogs/settings-dialog.tsx'
import type { DraftEditing } from './use-draft.ts'
import { errorsIn } from './use-problems.ts'

type FlowFacts = Omit<FlowDetail, 'document' | 'revision' | 'isChanged'>

/** Caches the flow's fields other than its draft. */
const useFacts = (flowId: string) => {
  const queries = useQueryClient()
  return (facts: FlowFacts, revision?: number) => {
    queries.setQueryData(
      flowQuery(flowId).queryKey,
      (known) => known && { ...known, ...facts, ...(revision !== undefined && { revision, isChanged: false }) },
    )
    void queries.invalidateQueries({ queryKey: flowNamesQuery.queryKey })
  }
}

/** Saves first; `onProblems` shows a refusal. */
export const usePublishing = (
  flowId: string,
  { state, save, saver }: DraftEditing,
  { onProblems, onPublished }: { onProblems: (problems: readonly FlowProblem[]) => void; onPublished: () => void },
) => {
  const toast = useToast()
  const queries = useQueryClient()
  const noteFacts = useFacts(flowId)
  const { document } = state
  return useCommand({
    run: async () => {
      const problems = checkFlow(document)
      if (errorsIn(problems).length > 0) return onProblems(problems)
      if (!(await save())) {
        const title = 'O fluxo não foi publicado'
        return toast({ kind: 'error', title, description: 'As últimas mudanças ainda não foram salvas.' })
      }
      const { revision } = saver
      try {
        const flow = await call('POST /api/flows/:id/publish', {
          params: { id: flowId },
          body: { basedOn: revision },
        })
        noteFacts(flow, revision)
        onPublished()
        toast({ kind: 'success', title: 'Fluxo publicado', description: `Versão ${flow.version}, já no ar.` })
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        if (error.type === 'flow_draft_conflict') return saver.meetConflict()
        if (error.type !== 'flow_has_errors') throw error
        onProblems(await queries.fetchQuery(flowCheckQuery(flowId, document)))
      }
    },
    failed: (error) => ({
      title: 'O fluxo não foi publicado',
      description: refusalOr(error, 'O rascunho está salvo. Tente de novo em instantes.'),
    }),
  })
}

/** Name and state are stored at once, the rest with the draft. */
export const useSettings = (flow: FlowDetail, { edit, state }: DraftEditing) => {
  const noteFacts = useFacts(flow.id)
  return async ({ name, isOn, settings }: FlowChoices) => {
    const params = { id: flow.id }
    if (name !== flow.name) noteFacts(await call('PATCH /api/flows/:id', { params, body: { name } }))
    const wasOn = flow.status === 'active'
    if (isOn !== null && isOn !== wasOn) noteFacts(await call('PUT /api/flows/:id/on', { params, body: { isOn } }))
    if (JSON.stringify(settings) !== JSON.stringify(state.document.settings)) edit({ type: 'set_settings', settings })
  }
}
