import { createLog } from '@prosa/kernel/log'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { networksOf } from '@prosa/sessions/networks'
import { sessions } from '@prosa/sessions/sessions'
import { allServices } from '../src/all-services.ts'
import { readConfig } from '../src/config.ts'
import { openFiles } from '../src/files.ts'
import { masterSecret } from '../src/master-secret.ts'
import { openPorts } from '../src/ports.ts'
import { runUntilStopped } from '../src/run.ts'

/**
 * The product as a process of its own, to be killed: every service, without a web app and without a WhatsApp network. The first
 * argument is how long a lease lasts, in milliseconds, instead of production's time.
 */
const config = readConfig('development')
const lease = Number(process.argv[2] ?? 0)
const ports = await openPorts(
  config.databaseUrl ?? '',
  await masterSecret(config.secret, config.dataDir),
  createLog(config.logLevel),
  config.oldSecrets,
  config.eventStoreUrl,
  openFiles(config),
)
const simulatorUploads = loopbackUploadAgent()
const networks = networksOf(config.webSocketUrl, config.simulatorUrl)
const { production } = config
const impatient = sessions({ networks, production, simulatorUploads, ...(lease > 0 && { timings: { lease } }) })
await runUntilStopped(
  allServices(config, ports, { simulatorUploads }).map((service) =>
    service.name === impatient.name ? impatient : service,
  ),
  ports,
  { ...config, limitScale: 1000 },
  {
    ready: () => process.send?.('ready'),
    stopped: async () => undefined,
  },
)
process.exit(0)
