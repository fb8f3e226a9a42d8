import { join } from 'node:path'
import { createLog } from '@prosa/kernel/log'
import { allServices } from './all-services.ts'
import { readConfig } from './config.ts'
import { orExplain } from './explain.ts'
import { openFiles } from './files.ts'
import { openDatabase } from './local-database.ts'
import { masterSecret } from './master-secret.ts'
import { openPorts } from './ports.ts'
import { runUntilStopped } from './run.ts'
import { serveWebApp } from './web-app.ts'

/** Production in one process: no simulator in it. */
await orExplain(async () => {
  const config = readConfig('production')
  const log = createLog(config.logLevel)
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
  await runUntilStopped(
    allServices(config, ports),
    ports,
    { ...config, prepare: (app) => serveWebApp(app, join(import.meta.dirname, '../../web/dist/production')) },
    { ready: ({ url }) => log.info({ url }, 'ready'), stopped: () => database.stop() },
  )
})
