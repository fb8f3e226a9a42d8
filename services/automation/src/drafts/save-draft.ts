import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { type FlowCommand, isSameDraft } from '../flow.ts'
import type { FlowGround } from '../flow-ground.ts'
import { prepareDraft, storeNextDraft } from './store-draft.ts'

interface WantedDraft {
  document: FlowDocument
  basedOn: number
  restoredVersion: number | null
}

/** Stores a draft beside the log and returns the command that records it, unless the decider would refuse or ignore it. */
export const storedSave = async (
  ground: Pick<FlowGround, 'flows' | 'drafts' | 'spending' | 'places'>,
  owner: string,
  id: string,
  { document, basedOn, restoredVersion }: WantedDraft,
): Promise<FlowCommand> => {
  const prepared = prepareDraft(ground, owner, document)
  const { kept } = prepared
  const { status, revision, draft } = await ground.flows.load(id, owner)
  const isStored = status === 'standing' && revision === basedOn && !isSameDraft(draft, document, kept)
  if (isStored) await storeNextDraft(ground, owner, { id, revision: basedOn + 1 }, prepared)
  return { type: 'SaveDraft', data: { document, kept, isStored, basedOn, restoredVersion } }
}
