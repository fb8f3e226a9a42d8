import { readModelRebuildHandler } from '@prosa/kernel/consumers/projections/rebuild/read-model-rebuild'
import type { Service } from '@prosa/kernel/ports'
import { keyRoutes } from '../keys/key-routes.ts'
import { dataExportRoutes } from './data-export-routes.ts'
import { parkedWorkRoutes } from './parked-work-routes.ts'
import { readModelRoutes } from './read-model-routes.ts'
import { readingPurposeRoutes } from './reading-purpose-routes.ts'

/** Part of every process: any can answer. */
export const administration: Service = {
  name: 'operations',
  async mount(ports) {
    return {
      routes: async (app) => {
        await app.register(parkedWorkRoutes(ports))
        await app.register(dataExportRoutes(ports))
        await app.register(readingPurposeRoutes(ports))
        await app.register(keyRoutes(ports))
        await app.register(readModelRoutes(ports, readModelRebuildHandler(ports)))
      },
    }
  },
}
