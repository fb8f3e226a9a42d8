import { join } from 'node:path'
import { createLog } from '@prosa/kernel/observability/log'
import { orExplain } from '@prosa/kernel/process/explain'
import { runUntilStopped } from '@prosa/kernel/process/run-until-stopped'
import { readConfig } from '@prosa/product/process/config'
import { allServices } from './all-services.ts'
import { configuredPorts } from './configured-ports.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { openDatabase } from './local-database.ts'
import { productLanding } from './product-landing.ts'
import { serveWebApp } from './web-app.ts'

const web = join(import.meta.dirname, '../../web/dist/production')

/** Production in one process, without the simulator. */
await orExplain(async () => {
  const config = readConfig('production')
  const log = createLog(config.logLevel)
  const database = await openDatabase(config, log)
  const services = allServices(config)
  const ports = await configuredPorts(config, services, database, log)
  await runUntilStopped(
    services,
    ports,
    { ...config, prepare: async (app) => serveWebApp(app, web, await productLanding(ports, config, web)) },
    { ready: ({ url }) => log.info({ url }, 'ready'), stopped: () => database.stop() },
  )
}, [EmbeddedPostgresError])
