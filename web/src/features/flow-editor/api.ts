import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

/** Saves that a page started while it was left; reads wait for them. */
const leaving = new Map<string, Promise<unknown>>()

export const noteLeaving = (flowId: string, saving: Promise<unknown>): void => {
  const done = saving.finally(() => {
    if (leaving.get(flowId) === done) leaving.delete(flowId)
  })
  leaving.set(flowId, done)
}

/** Resolves once the draft is saved, or kept in this browser. */
export const savedOnLeaving = (flowId: string): Promise<unknown> => leaving.get(flowId) ?? Promise.resolve()

export const readFlow = (flowId: string, signal?: AbortSignal) =>
  call('GET /api/flows/:id', { params: { id: flowId }, signal })

/** Read once when the editor opens; afterwards the editor owns the draft. */
export const flowQuery = (flowId: string) =>
  queryOptions({
    queryKey: ['flow-editor', flowId],
    queryFn: async ({ signal }) => {
      await savedOnLeaving(flowId)
      return readFlow(flowId, signal)
    },
    gcTime: 0,
    staleTime: 0,
  })

export const flowNamesQuery = queryOptions({
  queryKey: ['flows'],
  queryFn: ({ signal }) => call('GET /api/flows', { signal }),
  staleTime: 30_000,
})

/** With what only the server finds. */
export const flowCheckQuery = (flowId: string, document: FlowDocument) =>
  queryOptions({
    queryKey: ['flow-editor', flowId, 'check', document],
    queryFn: () => call('POST /api/flows/check', { body: { document } }),
    gcTime: 0,
    staleTime: 0,
  })
