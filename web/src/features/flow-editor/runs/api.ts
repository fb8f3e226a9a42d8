import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import { queryOptions } from '@tanstack/react-query'
import { call, callPage } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { type PagedList, usePagedList } from '../../../lib/http/use-paged-list.ts'

const runsKey = ['flow-runs'] as const

/** Polling, because an open run may go on. */
const listMs = 20_000
const runMs = 5_000

export const useFlowRuns = (flowId: string): PagedList<FlowRun> =>
  usePagedList({
    queryKey: [...runsKey, 'of', flowId],
    load: async (cursor) => {
      const { items, next } = await callPage('GET /api/flows/:id/runs', { params: { id: flowId }, query: { cursor } })
      return { items, nextCursor: next }
    },
    refetchIntervalMs: listMs,
  })

export const flowRunQuery = (runId: string) =>
  queryOptions({
    queryKey: [...runsKey, 'one', runId],
    queryFn: ({ signal }) => call('GET /api/flow-runs/:id', { signal, params: { id: runId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.endedAt === null ? runMs : false),
  })

export const useStopRun = () =>
  useCommand({
    run: (runId: string) => call('POST /api/flow-runs/:id/stop', { params: { id: runId } }),
    rereads: [runsKey],
  })

/** One part; sends and stores nothing. */
export const replayPart = (flowId: string, body: { document: FlowDocument; from: string; to: string; after: string }) =>
  call('POST /api/flows/:id/replay', { params: { id: flowId }, body })
