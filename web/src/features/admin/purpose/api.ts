import type { ReadingPurposeBody } from '@prosa/contracts/http/reading-purposes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { answerPurpose } from '../../../lib/reading-purpose.ts'

/** Afterwards the waiting requests continue and failed queries of the panel are fetched again. */
export const useStatePurpose = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ReadingPurposeBody) => call('POST /api/admin/reading-purposes', { body }),
    onSuccess: () => {
      answerPurpose(true)
      void queries.refetchQueries({ queryKey: ['admin'], predicate: ({ state }) => state.status === 'error' })
    },
  })
}
