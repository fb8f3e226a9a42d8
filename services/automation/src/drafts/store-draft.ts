import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { DraftSummary } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'

type Deps = Pick<FlowDeps, 'flows' | 'drafts' | 'spending' | 'knownFlows'>

export interface PreparedDraft {
  summary: DraftSummary
  text: string
}

const filesOf = ({ nodes }: FlowDocument): string[] => [
  ...new Set(nodes.flatMap((node) => (node.type === 'message' && node.data.file ? [node.data.file.file.id] : []))),
]

export const prepareDraft = (
  { drafts }: Pick<Deps, 'drafts'>,
  owner: string,
  document: FlowDocument,
): PreparedDraft => {
  const text = JSON.stringify({ version: 1, document })
  const summary = {
    digest: drafts.digestOf(owner, text),
    sizeBytes: Buffer.byteLength(text),
    nodeCount: document.nodes.length,
    fileIds: filesOf(document),
  }
  return { summary, text }
}

const spendOnDrafts = async ({ spending }: Deps, owner: string, bytes: number): Promise<void> => {
  if (await spending.spendToday(owner, 'draftBytesPerDay', bytes)) return
  throw new Refused('drafts_of_day_used_up', undefined, spending.secondsUntilTomorrow())
}

export type PlannedFlow = { id: string } & Pick<DraftSummary, 'digest' | 'sizeBytes'>

/** Limit per tenant. */
const maxFlows = 1000

/** Reserves capacity for all new drafts or none. */
export const planNewFlows = async (deps: Deps, owner: string, planned: readonly PlannedFlow[]): Promise<void> => {
  await spendOnDrafts(
    deps,
    owner,
    planned.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  const limit = { flows: maxFlows, knownIds: await deps.knownFlows.all(owner, 'flow') }
  const outcome = await deps.drafts.plan(
    owner,
    planned.map(({ id, digest, sizeBytes: bytes }) => ({ id, revision: 0, digest, bytes })),
    limit,
  )
  if (outcome !== 'planned') throw refuse(outcome === 'full' ? 'drafts_full' : 'too_many_flows')
}

export const storeNextDraft = async (
  deps: Deps,
  owner: string,
  { id, revision }: { id: string; revision: number },
  { summary: { digest, sizeBytes: bytes }, text }: PreparedDraft,
): Promise<void> => {
  await spendOnDrafts(deps, owner, bytes)
  if ((await deps.drafts.plan(owner, [{ id, revision, digest, bytes }])) !== 'planned') throw refuse('drafts_full')
  await deps.drafts.write(owner, { id, revision, digest }, text)
}
