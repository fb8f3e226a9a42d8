import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { KeptDraft } from '../flow.ts'
import type { FlowGround } from '../flow-ground.ts'

type Ground = Pick<FlowGround, 'flows' | 'drafts' | 'spending' | 'places'>

export interface PreparedDraft {
  kept: KeptDraft
  text: string
}

const filesOf = ({ nodes }: FlowDocument): string[] => [
  ...new Set(nodes.flatMap((node) => (node.type === 'message' && node.data.file ? [node.data.file.file.id] : []))),
]

export const prepareDraft = (
  { drafts }: Pick<Ground, 'drafts'>,
  owner: string,
  document: FlowDocument,
): PreparedDraft => {
  const text = JSON.stringify({ version: 1, document })
  const kept = {
    digest: drafts.digestOf(owner, text),
    sizeBytes: Buffer.byteLength(text),
    nodeCount: document.nodes.length,
    fileIds: filesOf(document),
  }
  return { kept, text }
}

const spendOnDrafts = async ({ spending }: Ground, owner: string, bytes: number): Promise<void> => {
  if (await spending.spendToday(owner, 'draftBytesPerDay', bytes)) return
  throw new Refused('drafts_of_day_used_up', undefined, spending.secondsUntilTomorrow())
}

export type PlannedFlow = { id: string } & Pick<KeptDraft, 'digest' | 'sizeBytes'>

/** Limit per tenant. */
const maxFlows = 1000

/** Reserves capacity for all new drafts or none. */
export const planNewFlows = async (ground: Ground, owner: string, planned: readonly PlannedFlow[]): Promise<void> => {
  await spendOnDrafts(
    ground,
    owner,
    planned.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  const limit = { flows: maxFlows, knownIds: await ground.places.all(owner, 'flow') }
  const outcome = await ground.drafts.plan(
    owner,
    planned.map(({ id, digest, sizeBytes: bytes }) => ({ id, revision: 0, digest, bytes })),
    limit,
  )
  if (outcome !== 'planned') throw refuse(outcome === 'full' ? 'drafts_full' : 'too_many_flows')
}

export const storeNextDraft = async (
  ground: Ground,
  owner: string,
  { id, revision }: { id: string; revision: number },
  { kept: { digest, sizeBytes: bytes }, text }: PreparedDraft,
): Promise<void> => {
  await spendOnDrafts(ground, owner, bytes)
  if ((await ground.drafts.plan(owner, [{ id, revision, digest, bytes }])) !== 'planned') throw refuse('drafts_full')
  await ground.drafts.write(owner, { id, revision, digest }, text)
}
