import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { type FlowCommand, isSameDraft } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { prepareDraft, storeNextDraft } from './store-draft.ts'

interface WantedDraft {
  document: FlowDocument
  basedOn: number
  restoredVersion: number | null
}

/** Stores a draft beside the log and returns the command that records it, unless the decider would refuse or ignore it. */
export const storedSave = async (
  deps: Pick<FlowDeps, 'flows' | 'drafts' | 'spending' | 'knownFlows'>,
  tenant: string,
  id: string,
  { document, basedOn, restoredVersion }: WantedDraft,
): Promise<FlowCommand> => {
  const prepared = prepareDraft(deps, tenant, document)
  const { summary } = prepared
  const { status, revision, draft } = await deps.flows.load(id, tenant)
  const isStored = status === 'standing' && revision === basedOn && !isSameDraft(draft, document, summary)
  if (isStored) await storeNextDraft(deps, tenant, { id, revision: basedOn + 1 }, prepared)
  return { type: 'SaveDraft', data: { document, summary, isStored, basedOn, restoredVersion } }
}
