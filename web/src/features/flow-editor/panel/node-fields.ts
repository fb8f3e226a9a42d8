import type { FlowDocument, FlowNodeOf, FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { givenVariables, isAsking } from '@prosa/contracts/flows/flow-document'
import { useContactFields } from '../../../lib/account/contact-fields.ts'

export interface NodeFieldsProps<T extends FlowNodeType> {
  node: FlowNodeOf<T>
  document: FlowDocument
  flowId: string
  /** `field` is the field that was typed into; undefined for a choice. */
  onChange: (data: Partial<FlowNodeOf<T>['data']>, field?: string) => void
}

/** `variablesOf`, and those of the contacts' own fields. */
export const useVariables = (document: FlowDocument): string[] => {
  const fields = useContactFields()
  return [...new Set([...variablesOf(document), ...fields.map(({ variable }) => variable)])]
}

/** Built-in variables first, then those that questions, menus, requests and calculations store. */
export const variablesOf = ({ nodes }: FlowDocument): string[] => {
  const asked = nodes.flatMap((node) => (isAsking(node) && node.data.variable ? node.data.variable : []))
  const replied = nodes.flatMap((node) => {
    if (node.type === 'calculation') return node.data.variable || []
    return node.type === 'request' ? node.data.results.flatMap(({ variable }) => variable || []) : []
  })
  return [...new Set([...givenVariables, ...asked, ...replied])]
}
