import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { deleteFlowsIn, type FlowDeps } from './flow-deps.ts'

const name = 'empty-folders-on-flow-folder-deleted'

/** Includes flows moved into the folder concurrently. */
export const emptyFoldersOnFlowFolderDeleted = (deps: FlowDeps): Reactor => {
  /** Earlier flows are found when the folder is deleted. */
  const follow = async (event: StoredOf<'FlowCreated'> | StoredOf<'FlowMoved'>) => {
    const { tenant } = event.metadata
    const { folderId } = event.data
    if (tenant === null || folderId === null) return
    if ((await deps.folders.load(folderId, tenant)).status !== 'deleted') return
    await deps.flows(parseStream(event.stream).id, { type: 'DeleteFlow', data: {} }, contextFor(name, event))
  }

  return {
    name,
    categories: ['flowFolder', 'flow'],
    key: ({ stream }) => stream,
    on: {
      async FlowFolderDeleted(event) {
        const { tenant } = event.metadata
        if (tenant === null) return
        await deps.knownFlows.requireUpTo(event.position)
        await deleteFlowsIn(deps, tenant, parseStream(event.stream).id, contextFor(name, event))
      },
      FlowCreated: follow,
      FlowMoved: follow,
    },
  }
}
