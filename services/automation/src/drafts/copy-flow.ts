import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { spendChanges } from '@prosa/kernel/http/limits/limit-changes'
import type { FlowDeps } from '../flow-deps.ts'
import { findDraft } from './read-draft.ts'
import { type PlannedFlow, planNewFlows, prepareDraft } from './store-draft.ts'

/** Reserves capacity for all copies or none. */
export const planCopies = async (
  deps: FlowDeps,
  tenant: string,
  flowIds: readonly string[],
  idOfCopy: (flowId: string) => string,
): Promise<void> => {
  const planned: PlannedFlow[] = []
  for (const flowId of flowIds) {
    const { status, draft } = await deps.flows.load(flowId, tenant)
    if (status !== 'standing') continue
    const { digest, sizeBytes } = draft.isInLog ? prepareDraft(deps, tenant, draft.document).summary : draft
    planned.push({ id: idOfCopy(flowId), digest, sizeBytes })
  }
  if (planned.length === 0) return
  // The request itself counted as one change.
  await spendChanges(deps.spending, tenant, planned.length)
  await planNewFlows(deps, tenant, planned)
}

/** Undefined if deleted meanwhile. Requires `planCopies` first. */
export const copyFlow = async (
  deps: FlowDeps,
  flowId: string,
  { id, folderId }: { id: string; folderId: string },
  context: CommandContext,
) => {
  const { tenant } = context
  if (tenant === null) throw new Error('a flow is copied for an account')
  const found = await findDraft(deps, tenant, flowId)
  if (!found) return undefined
  const { flow, document } = found
  const { summary, text } = prepareDraft(deps, tenant, document)
  if ((await deps.flows.load(id, tenant)).status === 'none')
    await deps.drafts.write(tenant, { id, revision: 0, digest: summary.digest }, text)
  const data = { name: flow.name, folderId, document, origin: 'copy', summary } as const
  return deps.flows(id, { type: 'CreateFlow', data }, context)
}
