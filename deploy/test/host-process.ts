import { createLog } from '@prosa/kernel/log'
import { allServices } from '../src/all-services.ts'
import { readConfig } from '../src/config.ts'
import { masterSecret } from '../src/master-secret.ts'
import { openPorts } from '../src/ports.ts'
import { runUntilStopped } from '../src/run.ts'

/** The product as a process of its own, to be killed: every service, without a web app and without a WhatsApp network. */
const config = readConfig()
const ports = await openPorts(
  config.databaseUrl ?? '',
  await masterSecret(config.secret, config.dataDir),
  createLog(config.logLevel),
  config.oldSecrets,
)
await runUntilStopped(
  allServices(config, ports),
  ports,
  { ...config, limitScale: 1000 },
  {
    ready: () => process.send?.('ready'),
    stopped: async () => undefined,
  },
)
process.exit(0)
