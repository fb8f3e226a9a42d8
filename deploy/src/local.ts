import { join, resolve } from 'node:path'
import { createLog } from '@prosa/kernel/observability/log'
import { orExplain } from '@prosa/kernel/process/explain'
import { runUntilStopped } from '@prosa/kernel/process/run-until-stopped'
import type { Service } from '@prosa/product/ports'
import { readConfig } from '@prosa/product/process/config'
import { startSimulator } from '@prosa/sandbox/simulator/simulator'
import { simulatorRoutes } from '@prosa/sandbox/simulator/simulator-routes'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { allServices, type Development } from './all-services.ts'
import { configuredPorts } from './configured-ports.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { openDatabase } from './local-database.ts'
import { productLanding } from './product-landing.ts'
import { serveWebApp } from './web-app.ts'

const web = join(import.meta.dirname, '../../web/dist/simulator')

/** `npm start` kills this process 20 s after its request to end. */
const maxDrainSeconds = 15

const print = (sentence: string) => process.stdout.write(`${sentence}\n`)

/** `npm start`: one process with simulated phones. Never in production. */
await orExplain(async () => {
  const read = readConfig('development')
  const drainSeconds = Math.min(read.drainSeconds, maxDrainSeconds)
  const config = { ...read, drainSeconds, dataDir: resolve(read.dataDir) }
  const log = createLog(config.logLevel)

  if (!config.databaseUrl) print('Starting the embedded PostgreSQL…')
  const database = await openDatabase(config, log)
  const simulator = await startSimulator({ stateFile: join(config.dataDir, 'simulator.json') })
  const simulatedPhones: Service = {
    name: 'simulator',
    async mount() {
      const routes = simulatorRoutes({ sandbox: simulator })
      return { routes: async (app) => app.register(routes) }
    },
  }

  const development: Development = {
    showLink: (link) => print(`Link to set a new password: ${link}`),
    simulatorUploads: loopbackUploadAgent(),
  }
  const services = [
    ...allServices({ ...config, simulatorUrl: simulator.url, reach: 'loopback too' }, development),
    simulatedPhones,
  ]
  const ports = await configuredPorts(config, services, database, log)
  await runUntilStopped(
    services,
    ports,
    { ...config, prepare: async (app) => serveWebApp(app, web, await productLanding(ports, config, web)) },
    {
      ready: ({ url }) => print(`Prosa is running: open ${url}`),
      async stopped() {
        await simulator.stop()
        await database.stop()
      },
    },
  )
}, [EmbeddedPostgresError])
