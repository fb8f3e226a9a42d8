import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deleteFlows, type FlowGround } from './flow-ground.ts'
import { sampleFolders } from './samples/sample-folders.ts'

const name = 'flows-of-account'

/** Adds sample folders for new tenants and deletes all with a tenant. One reactor, so samples never follow the erasure. */
export const flowsOfAccount = (ground: FlowGround): Reactor => {
  const { flows, folders, defaults, places, accountErasures, drafts, spending } = ground
  return {
    name,
    categories: ['user'],
    key: ({ stream }) => stream,
    on: {
      async UserRegistered(event) {
        const owner = parseStream(event.stream).id
        if (await accountErasures.load(owner, owner)) return
        const context = { ...contextFor(name, event), owner, presumedNew: true } as const
        for (const { id, contents, ...texts } of sampleFolders(owner)) {
          await folders(id, { type: 'CreateFlowFolder', data: { ...texts, isSample: true } }, context)
          for (const flow of contents) {
            const data = { name: flow.name, folderId: id, document: flow.document, origin: 'sample' } as const
            const outcome = await flows(flow.id, { type: 'CreateFlow', data }, context)
            if (outcome.ok) places.note(owner, outcome.position)
          }
        }
      },
      async UserErased(event) {
        const owner = parseStream(event.stream).id
        const context = { ...contextFor(name, event), owner }
        await places.requireUpTo(event.position)
        const samples = sampleFolders(owner)
        const all = [
          ...(await places.all(owner, 'flow')),
          ...samples.flatMap(({ contents }) => contents).map(({ id }) => id),
        ]
        await deleteFlows(ground, [...new Set(all)], context)
        for (const id of new Set([...(await places.all(owner, 'folder')), ...samples.map((folder) => folder.id)]))
          await folders(id, { type: 'DeleteFlowFolder', data: {} }, context)
        await defaults(owner, { type: 'ChooseDefaultFlow', data: { flowId: null } }, context)
        await drafts.forget(owner)
        await spending.forget(owner)
      },
    },
  }
}
