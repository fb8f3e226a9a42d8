import type { FlowTestBody, FlowTestInput, FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

interface Asked {
  flowId: string
  /** Stands for the document, which is too long for a key: another number, another document. */
  documentNumber: number
  body: FlowTestBody
}

/** What came of a test, with the inputs that it was played with. */
interface Played {
  inputs: readonly FlowTestInput[]
  result: FlowTestResult
}

/** Plays a draft from its beginning. What was played before is shown until the answer is there; nothing is kept. */
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
