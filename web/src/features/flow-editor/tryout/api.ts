import type { FlowTestBody, FlowTestInput, FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'

interface Asked {
  flowId: string
  /** Stands for the document in the query key, as the document is too long. */
  documentNumber: number
  body: FlowTestBody
}

interface Played {
  inputs: readonly FlowTestInput[]
  result: FlowTestResult
}

/** Runs a draft from the start and stores nothing; the previous result stays until the answer arrives. */
export const flowTestQuery = ({ flowId, documentNumber, body: { document, ...rest } }: Asked) =>
  queryOptions({
    queryKey: ['flow-test', flowId, documentNumber, rest],
    queryFn: async (): Promise<Played> => ({
      inputs: rest.inputs,
      result: await call('POST /api/flows/:id/test', { params: { id: flowId }, body: { document, ...rest } }),
    }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
