import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Service } from '@prosa/product/ports'
import { confirmOnFlowDraftKept } from './drafts/confirm-on-flow-draft-kept.ts'
import { sweepDrafts } from './drafts/sweep-drafts.ts'
import { emptyFoldersOnFlowFolderDeleted } from './empty-folders-on-flow-folder-deleted.ts'
import type { FlowGround } from './flow-ground.ts'
import { flowHandlers } from './flow-handlers.ts'
import { flowPlaces } from './flow-places.ts'
import { flowsOfAccount } from './flows-of-account.ts'
import { knownPlaces } from './known-places.ts'
import { flowLinks } from './links/flow-links.ts'
import { linkDecisionRoutes } from './links/link-decision-routes.ts'
import { linkRoutes } from './links/link-routes.ts'
import { defaultFlowRoutes } from './routes/default-flow-routes.ts'
import { draftRoutes } from './routes/draft-routes.ts'
import { flowFolderRoutes } from './routes/flow-folder-routes.ts'
import { flowRoutes } from './routes/flow-routes.ts'
import { flowRunPlaces } from './run/flow-run-places.ts'
import { flowsOn } from './run/flows-on.ts'
import { mountRuns } from './run/mount-runs.ts'

export const automation: Service = {
  name: 'automation',
  async mount(ports) {
    const { store, codec, drafts, spending } = ports
    const ground: FlowGround = { ...flowHandlers(ports), store, codec, drafts, spending, places: knownPlaces(ports) }
    const runs = mountRuns(ports)
    const own = [readModel(flowPlaces), readModel(flowsOn), readModel(flowRunPlaces), readModel(flowLinks)]
    const kept = await keepReadModels(own, ports)
    return {
      async routes(app) {
        await app.register(flowFolderRoutes(ground))
        await app.register(flowRoutes(ground))
        await app.register(draftRoutes(ground))
        await app.register(defaultFlowRoutes(ground))
        await app.register(runs.routes)
        await app.register(linkRoutes({ ...ports, ...ground }))
        await app.register(linkDecisionRoutes({ ...ports, ...ground }))
      },
      reactors: [
        flowsOfAccount(ground),
        emptyFoldersOnFlowFolderDeleted(ground),
        confirmOnFlowDraftKept(ground),
        ...runs.reactors,
      ],
      timers: runs.timers,
      parkers: kept.parkers,
      health: kept.health,
      metrics: kept.metrics,
      run: async (signal) => {
        await Promise.all([kept.run(signal), sweepDrafts(ground, ports.log, signal)])
      },
    }
  },
}
