import type { Service } from '../ports.ts'
import { keepSwept } from '../sweeping/sweep.ts'
import { decideOnWorkRetried } from './decide-on-work-retried.ts'
import { parkedWorkRoutes } from './parked-work-routes.ts'

/**
 * What keeps the other services going: parked work with the administrators' decisions about it, and the sweep. Part of
 * every host.
 */
export const operations: Service = {
  name: 'operations',
  async mount(ports) {
    return {
      routes: parkedWorkRoutes(ports),
      reactors: [decideOnWorkRetried(ports.pool)],
      run: (signal) => keepSwept(ports, signal),
    }
  },
}
