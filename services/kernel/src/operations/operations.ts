import { readModelRebuildHandler } from '../consumers/projections/read-model-rebuild.ts'
import { decideOnWorkRetried } from '../consumers/reactors/decide-on-work-retried.ts'
import { rebuildOnRebuildRequested } from '../consumers/reactors/rebuild-on-rebuild-requested.ts'
import type { Service } from '../ports.ts'
import { runCleanup } from './cleanup.ts'
import { dataExportRoutes } from './data-export-routes.ts'
import { parkedWorkRoutes } from './parked-work-routes.ts'
import { readModelRoutes } from './read-model-routes.ts'
import { readingPurposeRoutes } from './reading-purpose-routes.ts'

/** Part of every host. */
export const operations: Service = {
  name: 'operations',
  async mount(ports) {
    const { pool } = ports
    const rebuilds = readModelRebuildHandler(ports)
    return {
      routes: async (app) => {
        await app.register(parkedWorkRoutes(ports))
        await app.register(dataExportRoutes(ports))
        await app.register(readingPurposeRoutes(ports))
        await app.register(readModelRoutes(ports, rebuilds))
      },
      reactors: [decideOnWorkRetried(pool), rebuildOnRebuildRequested({ pool, rebuilds })],
      run: (signal) => runCleanup(ports, signal),
    }
  },
}
