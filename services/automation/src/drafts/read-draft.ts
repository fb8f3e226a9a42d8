import { type FlowDocument, storedDraft } from '@prosa/contracts/flows/flow-document'
import { refuse } from '@prosa/kernel/http/problem'
import type { Flow } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'

type Deps = Pick<FlowDeps, 'flows' | 'drafts'>

export interface FlowWithDraft {
  flow: Flow
  document: FlowDocument
}

const maxAttempts = 5

/** Undefined for unknown, foreign and deleted flows; refuses `draft_missing`. */
export const findDraft = async (
  { flows, drafts }: Deps,
  tenant: string,
  id: string,
): Promise<FlowWithDraft | undefined> => {
  // The draft may be superseded between the two reads.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const flow = await flows.load(id, tenant)
    if (flow.status !== 'standing') return undefined
    if (flow.draft.isInLog) return { flow, document: flow.draft.document }
    const text = await drafts.read(tenant, { id, revision: flow.revision, digest: flow.draft.digest })
    if (text !== undefined) return { flow, document: storedDraft.parse(JSON.parse(text)).document }
  }
  throw refuse('draft_missing')
}

export const requireDraft = async (deps: Deps, tenant: string, id: string): Promise<FlowWithDraft> => {
  const found = await findDraft(deps, tenant, id)
  if (!found) throw refuse('flow_not_found')
  return found
}
