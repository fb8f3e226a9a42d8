import { decideOnWorkRetried } from '../consumers/reactors/decide-on-work-retried.ts'
import type { Service } from '../ports.ts'
import { runCleanup } from './cleanup.ts'
import { dataExportRoutes } from './data-export-routes.ts'
import { parkedWorkRoutes } from './parked-work-routes.ts'

/**
 * What keeps the other services going: parked work with the administrators' decisions about it, the cleanup, and leave to copy
 * somebody's data. Part of every host.
 */
export const operations: Service = {
  name: 'operations',
  async mount(ports) {
    return {
      routes: async (app) => {
        await app.register(parkedWorkRoutes(ports))
        await app.register(dataExportRoutes(ports))
      },
      reactors: [decideOnWorkRetried(ports.pool)],
      run: (signal) => runCleanup(ports, signal),
    }
  },
}
