import type { FlowDocument, FlowNodeOf, FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { givenVariables } from '@prosa/contracts/flows/flow-document'

/** What the fields of a node get: the node, and what to do with a change of its data. */
export interface StepFieldsProps<T extends FlowNodeType> {
  node: FlowNodeOf<T>
  document: FlowDocument
  flowId: string
  /** `field`: what is typed into; absent of a choice. */
  onChange: (data: Partial<FlowNodeOf<T>['data']>, field?: string) => void
}

/** The variables that texts may use: those that are always there, then what questions store. */
export const variablesOf = ({ nodes }: FlowDocument): string[] => {
  const asked = nodes.flatMap((node) => (node.type === 'question' && node.data.variable ? node.data.variable : []))
  return [...new Set([...givenVariables, ...asked])]
}
