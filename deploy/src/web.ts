import { join } from 'node:path'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { processHealth } from './cluster/process-health.ts'
import { productLanding } from './product-landing.ts'
import { serveWebApp } from './web-app.ts'

const folder = join(import.meta.dirname, '../../web/dist/production')

/** What the all-in-one process serves and no endpoint answers, as a process of its own. */
await runServices(({ processes }) => [processHealth(processes)], readSide, {
  prepare: async (app, ports, config) =>
    serveWebApp(app, folder, await productLanding(ports, config, folder), endpoints),
})
