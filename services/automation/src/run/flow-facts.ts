import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Instant } from '@prosa/contracts/values/instant'
import type { KnownFields } from '../others/known-fields.ts'
import type { FlowLimits } from './recent-flows.ts'

/** Facts as of the step's decision. */
export interface FlowFacts {
  now: Instant
  /** '2026-11-27', in the tenant's time zone. */
  today: string
  /** True for businesses without hours. */
  isOpen: boolean
  labelIds: readonly string[]
  /** Excludes labels deleted since publication. */
  labels: Pick<ReadonlySet<string>, 'has'>
  fields: KnownFields
  /** Of the contact, by field, as stored. */
  fieldValues: Readonly<Record<string, string>>
  /** '' if unknown. */
  firstName: string
  company: string
  limits: FlowLimits
}

export const labelFacts = (
  labelIds: readonly string[],
  labels: ReadonlySet<string>,
): Pick<FlowFacts, 'labelIds' | 'labels'> => ({ labelIds: labelIds.filter((id) => labels.has(id)), labels })

/** Deciders read nothing: if a document is missing the command is refused, and the caller retries with it. */
export interface FlowLibrary {
  version(flowId: string, version: number): FlowDocument | undefined
  /** Null if deleted, disabled or unpublished; undefined if not passed. */
  published(flowId: string): number | null | undefined
}
