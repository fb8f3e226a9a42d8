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
  tenant: string,
  document: FlowDocument,
): PreparedDraft => {
  const text = JSON.stringify({ version: 1, document })
  const summary = {
    digest: drafts.digestOf(tenant, text),
    sizeBytes: Buffer.byteLength(text),
    nodeCount: document.nodes.length,
    fileIds: filesOf(document),
  }
  return { summary, text }
}

const spendOnDrafts = async ({ spending }: Deps, tenant: string, bytes: number): Promise<void> => {
  if (await spending.spendToday(tenant, 'draftBytesPerDay', bytes)) return
  throw new Refused('drafts_of_day_used_up', undefined, spending.secondsUntilTomorrow())
}

export type PlannedFlow = { id: string } & Pick<DraftSummary, 'digest' | 'sizeBytes'>

/** Limit per tenant. */
const maxFlows = 1000

/** Reserves capacity for all new drafts or none. */
export const planNewFlows = async (deps: Deps, tenant: string, planned: readonly PlannedFlow[]): Promise<void> => {
  await spendOnDrafts(
    deps,
    tenant,
    planned.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  const limit = { flows: maxFlows, knownIds: await deps.knownFlows.all(tenant, 'flow') }
  const outcome = await deps.drafts.plan(
    tenant,
    planned.map(({ id, digest, sizeBytes: bytes }) => ({ id, revision: 0, digest, bytes })),
    limit,
  )
  if (outcome !== 'planned') throw refuse(outcome === 'full' ? 'drafts_full' : 'too_many_flows')
}

export const storeNextDraft = async (
  deps: Deps,
  tenant: string,
  { id, revision }: { id: string; revision: number },
  { summary: { digest, sizeBytes: bytes }, text }: PreparedDraft,
): Promise<void> => {
  await spendOnDrafts(deps, tenant, bytes)
  if ((await deps.drafts.plan(tenant, [{ id, revision, digest, bytes }])) !== 'planned') throw refuse('drafts_full')
  await deps.drafts.write(tenant, { id, revision, digest }, text)
}
