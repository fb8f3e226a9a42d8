import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { useDeferredValue, useMemo, useState } from 'react'
import { useContactFields } from '../../../lib/account/contact-fields.ts'

const isError = ({ severity }: FlowProblem) => severity === 'error'

/** Checked on each edit; the server's findings stay until the next edit. */
export const useProblems = (document: FlowDocument) => {
  const checked = useDeferredValue(document)
  const [found, setFound] = useState<{ document: FlowDocument; problems: readonly FlowProblem[] } | null>(null)
  const fields = useContactFields()
  const own = useMemo(
    () =>
      checkFlow(
        checked,
        fields.map(({ variable }) => variable),
      ),
    [checked, fields],
  )
  const problems = found?.document === document ? found.problems : own
  const byNode = useMemo(() => {
    const all = new Map<string, FlowProblem[]>()
    for (const problem of problems)
      for (const id of problem.nodeIds ?? (problem.nodeId === null ? [] : [problem.nodeId]))
        all.set(id, [...(all.get(id) ?? []), problem])
    return all
  }, [problems])
  return { problems, byNode, note: setFound }
}

export type ProblemsByNode = ReturnType<typeof useProblems>['byNode']
/** Only errors prevent publishing. */
export const errorsIn = (problems: readonly FlowProblem[]): FlowProblem[] => problems.filter(isError)
