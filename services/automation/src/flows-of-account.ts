import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deleteFlows, type FlowDeps } from './flow-deps.ts'
import { sampleFolders } from './samples/sample-folders.ts'

const name = 'flows-of-account'

/** Adds sample folders for new tenants and deletes all with a tenant. One reactor, so samples never follow the erasure. */
export const flowsOfAccount = (deps: FlowDeps): Reactor => {
  const { flows, folders, defaults, order, secrets, knownFlows, accountErasures, drafts, spending } = deps
  return {
    name,
    categories: ['user'],
    key: ({ stream }) => stream,
    on: {
      async UserRegistered(event) {
        const tenant = parseStream(event.stream).id
        if (await accountErasures.load(tenant, tenant)) return
        const context = { ...contextFor(name, event), tenant, presumedNew: true } as const
        for (const { id, contents, ...texts } of sampleFolders(tenant)) {
          await folders(id, { type: 'CreateFlowFolder', data: { ...texts, isSample: true } }, context)
          for (const flow of contents) {
            const data = { name: flow.name, folderId: id, document: flow.document, origin: 'sample' } as const
            const outcome = await flows(flow.id, { type: 'CreateFlow', data }, context)
            if (outcome.ok) knownFlows.note(tenant, outcome.position)
          }
        }
      },
      async UserErased(event) {
        const tenant = parseStream(event.stream).id
        const context = { ...contextFor(name, event), tenant }
        await knownFlows.requireUpTo(event.position)
        const samples = sampleFolders(tenant)
        const all = [
          ...(await knownFlows.all(tenant, 'flow')),
          ...samples.flatMap(({ contents }) => contents).map(({ id }) => id),
        ]
        await deleteFlows(deps, [...new Set(all)], context)
        for (const id of new Set([...(await knownFlows.all(tenant, 'folder')), ...samples.map((folder) => folder.id)]))
          await folders(id, { type: 'DeleteFlowFolder', data: {} }, context)
        await defaults(tenant, { type: 'ChooseDefaultFlow', data: { flowId: null } }, context)
        await order(tenant, { type: 'SetFlowOrder', data: { flowIds: [] } }, context)
        await secrets(tenant, { type: 'RemoveAllFlowSecrets', data: {} }, context)
        await drafts.forget(tenant)
        await spending.forget(tenant)
      },
    },
  }
}
