import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** Savings that a page left behind; what is read must have them. */
const leaving = new Map<string, Promise<unknown>>()

/** Whoever opens the flow again waits for this saving first. */
export const noteLeaving = (flowId: string, saving: Promise<unknown>): void => {
  const done = saving.finally(() => {
    if (leaving.get(flowId) === done) leaving.delete(flowId)
  })
  leaving.set(flowId, done)
}

/** Resolves once what a page left behind is saved, or kept in this browser. */
export const savedOnLeaving = (flowId: string): Promise<unknown> => leaving.get(flowId) ?? Promise.resolve()

export const readFlow = (flowId: string) => call('GET /api/flows/:id', { params: { id: flowId } })

/** A flow with its draft, as it is when the editor opens: what is edited then is the editor's. */
export const flowQuery = (flowId: string) =>
  queryOptions({
    queryKey: ['flow-editor', flowId],
    queryFn: async () => {
      await savedOnLeaving(flowId)
      return readFlow(flowId)
    },
    gcTime: 0,
    staleTime: 0,
  })

/** The flows of the account, for 'Outro fluxo'. */
export const flowNamesQuery = queryOptions({
  queryKey: ['flows'],
  queryFn: () => call('GET /api/flows'),
  staleTime: 30_000,
})
