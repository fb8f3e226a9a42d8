import { decideOnWorkRetried } from '../consumers/reactors/decide-on-work-retried.ts'
import type { Service } from '../ports.ts'
import { runCleanup } from './cleanup.ts'
import { parkedWorkRoutes } from './parked-work-routes.ts'

/**
 * What keeps the other services going: parked work with the administrators' decisions about it, and the cleanup. Part of
 * every host.
 */
export const operations: Service = {
  name: 'operations',
  async mount(ports) {
    return {
      routes: parkedWorkRoutes(ports),
      reactors: [decideOnWorkRetried(ports.pool)],
      run: (signal) => runCleanup(ports, signal),
    }
  },
}
