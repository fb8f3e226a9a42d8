import { refuse } from '@prosa/kernel/http/problem'
import type { Flow } from './flow.ts'
import type { FlowDeps } from './flow-deps.ts'

/** Refuses unknown, foreign and deleted ids alike. */
export const requireFlow = async ({ flows }: Pick<FlowDeps, 'flows'>, tenant: string, id: string): Promise<Flow> => {
  const flow = await flows.load(id, tenant)
  if (flow.status !== 'standing') throw refuse('flow_not_found')
  return flow
}

export const requireFolder = async (
  { folders }: Pick<FlowDeps, 'folders'>,
  tenant: string,
  folderId: string | null | undefined,
): Promise<void> => {
  if (folderId === null || folderId === undefined) return
  if ((await folders.load(folderId, tenant)).status !== 'active') throw refuse('flow_folder_not_found')
}
