import { readModelRebuildHandler } from '../consumers/projections/rebuild/read-model-rebuild.ts'
import { decideOnWorkRetried } from '../consumers/reactors/decide-on-work-retried.ts'
import { rebuildOnRebuildRequested } from '../consumers/reactors/rebuild-on-rebuild-requested.ts'
import type { Service } from '../ports.ts'
import { runCleanup } from './cleanup.ts'

/** Part of every host. */
export const operations: Service = {
  name: 'maintenance',
  async mount(ports) {
    const { pool } = ports
    const rebuilds = readModelRebuildHandler(ports)
    return {
      reactors: [decideOnWorkRetried(pool), rebuildOnRebuildRequested({ pool, rebuilds })],
      run: (signal) => runCleanup(ports, signal),
    }
  },
}
