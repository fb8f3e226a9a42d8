import { once } from 'node:events'
import { join } from 'node:path'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { ConfigError } from '@prosa/kernel/process/config-error'
import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { startSimulator } from '@prosa/sandbox/simulator/simulator'
import { simulatorRoutes } from '@prosa/sandbox/simulator/simulator-routes'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { servicesOf } from './all-services.ts'
import { processHealth } from './cluster/process-health.ts'
import { productLanding } from './product-landing.ts'
import { serveWebApp } from './web-app.ts'

const folder = join(import.meta.dirname, '../../web/dist/simulator')

/** Simulated phones, whose WhatsApp server listens where WA_WEBSOCKET_URL says. */
const simulator = ({ webSocketUrl = '', dataDir, trustedOrigins }: Config): Service => ({
  name: 'simulator',
  async mount() {
    const stateFile = join(dataDir, 'simulator.json')
    const sandbox = await startSimulator({ stateFile, port: Number(new URL(webSocketUrl).port) })
    const routes = simulatorRoutes({ sandbox, productUrl: trustedOrigins[0] })
    return {
      routes: async (app) => app.register(routes),
      async run(signal) {
        await once(signal, 'abort')
        await sandbox.stop()
      },
    }
  },
})

const development = {
  showLink: (link: string) => process.stdout.write(`Link to set a new password: ${link}\n`),
  simulatorUploads: loopbackUploadAgent(),
}

const entry = 'development'
const name = process.argv[2] ?? ''

/** `npm run cluster` starts each process like this: as its `main.ts`, but with simulated phones and never in production. */
if (name === 'simulator') await runServices((config) => [simulator(config)], readSide, { entry })
else if (name === 'web')
  await runServices(({ processes }) => [processHealth(processes)], readSide, {
    entry,
    prepare: async (app, ports, config) =>
      serveWebApp(app, folder, await productLanding(ports, config, folder), endpoints),
  })
else if (name in servicesOf)
  await runServices((config) => servicesOf[name as keyof typeof servicesOf](config, development), readSide, { entry })
else throw new ConfigError(`'${name}' is no process of Prosa.`)
