import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Instant } from '@prosa/contracts/values/instant'
import type { FlowLimits } from './recent-flows.ts'

/** What a step may depend on besides the run itself, as it was when the step was decided. */
export interface FlowFacts {
  now: Instant
  /** Whether the business attends now; true of one that has no hours. */
  isOpen: boolean
  labelIds: readonly string[]
  /** The account's labels, by id: what was deleted since a flow was published is not among them. */
  labels: Pick<ReadonlySet<string>, 'has'>
  /** The contact's first name, and the business's own; '' where there is none. */
  firstName: string
  company: string
  limits: FlowLimits
}

/** Of these labels those that were not deleted, and which were not. */
export const labelFacts = (
  labelIds: readonly string[],
  labels: ReadonlySet<string>,
): Pick<FlowFacts, 'labelIds' | 'labels'> => ({ labelIds: labelIds.filter((id) => labels.has(id)), labels })

/**
 * The documents of versions, handed in with a command: a decider reads nothing by itself. Where one is not among them, the command is
 * refused, and whoever gave it loads it and gives it again.
 */
export interface FlowLibrary {
  version(flowId: string, version: number): FlowDocument | undefined
  /** The version that runs of a flow start with now; null: it is gone, off or was never published; undefined: not handed in. */
  published(flowId: string): number | null | undefined
}
