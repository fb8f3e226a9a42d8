import { createLog } from '@prosa/kernel/observability/log'
import { openFiles } from '@prosa/kernel/process/open-files'
import { runUntilStopped } from '@prosa/kernel/process/run-until-stopped'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import { readConfig } from '@prosa/product/process/config'
import { networksOf } from '@prosa/product/process/networks'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { sessions } from '@prosa/sessions/sessions'
import { allServices } from '../src/all-services.ts'
import { masterSecret } from '../src/master-secret.ts'
import { serveWebApp } from '../src/web-app.ts'

/**
 * The product as a process to be killed, without WhatsApp. Arguments: lease in ms (0: production's), folder of the built web app
 * (optional).
 */
const config = readConfig('development')
const lease = Number(process.argv[2] ?? 0)
const webFolder = process.argv[3]
const simulatorUploads = loopbackUploadAgent()
const networks = networksOf(config.webSocketUrl, config.simulatorUrl)
const { production } = config
const shortLived = sessions({ networks, production, simulatorUploads, ...(lease > 0 && { timings: { lease } }) })
const services = allServices(config, { simulatorUploads }).map((service) =>
  service.name === shortLived.name ? shortLived : service,
)
const ports = await openPorts({
  databaseUrl: config.databaseUrl ?? '',
  masterSecret: await masterSecret(config.secret, config.dataDir),
  log: createLog(config.logLevel),
  readSide,
  services,
  earlierSecrets: config.oldSecrets,
  eventStoreUrl: config.eventStoreUrl,
  files: openFiles(config),
  planRules: noPlanRules,
})
await runUntilStopped(
  services,
  ports,
  { ...config, limitScale: 1000, ...(webFolder && { prepare: (app) => serveWebApp(app, webFolder) }) },
  {
    ready: () => process.send?.('ready'),
    stopped: async () => undefined,
  },
)
process.exit(0)
