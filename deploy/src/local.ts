import { join, resolve } from 'node:path'
import { createLog } from '@prosa/kernel/log'
import type { Service } from '@prosa/kernel/ports'
import { startSimulator } from '@prosa/sandbox/simulator/simulator'
import { simulatorRoutes } from '@prosa/sandbox/simulator/simulator-routes'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { allServices, type Development } from './all-services.ts'
import { readConfig } from './config.ts'
import { orExplain } from './explain.ts'
import { openFiles } from './files.ts'
import { openDatabase } from './local-database.ts'
import { masterSecret } from './master-secret.ts'
import { openPorts } from './ports.ts'
import { runUntilStopped } from './run.ts'
import { serveWebApp } from './web-app.ts'

/** `npm start` ends this process by force 20 s after it asked it to end. */
const mostDrainSeconds = 15

const say = (sentence: string) => process.stdout.write(`${sentence}\n`)

/** What `npm start` runs: everything in one process, with the simulated phones. Never in production. */
await orExplain(async () => {
  const read = readConfig('development')
  const drainSeconds = Math.min(read.drainSeconds, mostDrainSeconds)
  const config = { ...read, drainSeconds, dataDir: resolve(read.dataDir) }
  const log = createLog(config.logLevel)

  if (!config.databaseUrl) say('Starting the embedded PostgreSQL…')
  const database = await openDatabase(config, log)
  const secret = await masterSecret(config.secret, config.dataDir)
  const ports = await openPorts(
    database.url,
    secret,
    log,
    config.oldSecrets,
    config.eventStoreUrl,
    openFiles(config),
    config.budgets,
  )
  const simulator = await startSimulator({ stateFile: join(config.dataDir, 'simulator.json') })
  const simulatedPhones: Service = {
    name: 'simulator',
    async mount() {
      const routes = simulatorRoutes({ sandbox: simulator })
      return { routes: async (app) => app.register(routes, { prefix: '/api/simulador' }) }
    },
  }

  const development: Development = {
    tellLink: (link) => say(`Link to set a new password: ${link}`),
    simulatorUploads: loopbackUploadAgent(),
  }
  await runUntilStopped(
    [...allServices({ ...config, simulatorUrl: simulator.url }, ports, development), simulatedPhones],
    ports,
    { ...config, prepare: (app) => serveWebApp(app, join(import.meta.dirname, '../../web/dist/simulator')) },
    {
      ready: ({ url }) => say(`Prosa is running: open ${url}`),
      async stopped() {
        await simulator.stop()
        await database.stop()
      },
    },
  )
})
