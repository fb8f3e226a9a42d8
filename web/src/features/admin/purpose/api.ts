import type { ReadingPurposeBody } from '@prosa/contracts/http/administration/reading-purposes'
import { call } from '../../../lib/call.ts'
import { answerPurpose } from '../../../lib/reading-purpose.ts'
import { useCommand } from '../../../lib/use-command.ts'

/** Afterwards the waiting requests continue and failed queries of the panel are fetched again. */
export const useStatePurpose = () =>
  useCommand({
    run: (body: ReadingPurposeBody) => call('POST /api/admin/reading-purposes', { body }),
    apply: (queries) => {
      answerPurpose(true)
      void queries.refetchQueries({ queryKey: ['admin'], predicate: ({ state }) => state.status === 'error' })
    },
  })
