import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Service } from '@prosa/product/ports'
import { confirmOnFlowDraftKept } from './drafts/confirm-on-flow-draft-kept.ts'
import { sweepDrafts } from './drafts/sweep-drafts.ts'
import { emptyFoldersOnFlowFolderDeleted } from './empty-folders-on-flow-folder-deleted.ts'
import type { FlowDeps } from './flow-deps.ts'
import { flowHandlers } from './flow-handlers.ts'
import { flowIds } from './flow-ids.ts'
import { flowsOfAccount } from './flows-of-account.ts'
import { knownFlows } from './known-flows.ts'
import { flowLinks } from './links/flow-links.ts'
import { linkDecisionRoutes } from './links/link-decision-routes.ts'
import { linkRoutes } from './links/link-routes.ts'
import { orderRoutes } from './order/order-routes.ts'
import { defaultFlowRoutes } from './routes/default-flow-routes.ts'
import { draftRoutes } from './routes/draft-routes.ts'
import { flowFolderRoutes } from './routes/flow-folder-routes.ts'
import { flowRoutes } from './routes/flow-routes.ts'
import { flowsOn } from './run/flows-on.ts'
import { mountRuns } from './run/mount-runs.ts'
import { flowRequests } from './run/requests/flow-requests.ts'
import type { RequestSettings } from './run/requests/mount-requests.ts'
import { flowContacts, runContacts } from './run/run-contacts.ts'

/** Flows and their runs. `reach` and the like: of requests that flows send. */
export const automationAt = (settings: RequestSettings = {}): Service => ({
  name: 'automation',
  async mount(ports) {
    const { store, codec, drafts, spending } = ports
    const { reach = 'public' } = settings
    const handlers = flowHandlers(ports)
    const deps: FlowDeps = { ...handlers, store, codec, drafts, spending, reach, knownFlows: knownFlows(ports) }
    const runs = mountRuns(ports, handlers, settings)
    const own = [
      readModel(flowIds),
      readModel(flowsOn),
      readModel(runContacts),
      readModel(flowLinks),
      readModel(flowContacts),
      readModel(flowRequests),
    ]
    const readModels = await keepReadModels(own, ports)
    return {
      async routes(app) {
        await app.register(flowFolderRoutes(deps))
        await app.register(flowRoutes(deps))
        await app.register(draftRoutes(deps))
        await app.register(defaultFlowRoutes(deps))
        await app.register(orderRoutes(deps, runs.handlers, ports))
        await app.register(runs.routes)
        await app.register(linkRoutes({ ...ports, ...deps }))
        await app.register(linkDecisionRoutes({ ...ports, ...deps }))
      },
      reactors: [
        flowsOfAccount(deps),
        emptyFoldersOnFlowFolderDeleted(deps),
        confirmOnFlowDraftKept(deps),
        ...runs.reactors,
      ],
      timers: runs.timers,
      parkers: readModels.parkers,
      health: readModels.health,
      metrics: () => [...readModels.metrics(), ...runs.metrics()],
      run: async (signal) => {
        await Promise.all([readModels.run(signal), runs.run(signal), sweepDrafts(deps, ports.log, signal)])
      },
    }
  },
})

export const automation = automationAt()
