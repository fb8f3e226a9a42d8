import { join } from 'node:path'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { addSecurityHeaders } from '@prosa/kernel/http/security-headers'
import { createLog } from '@prosa/kernel/observability/log'
import { fileErasureJournal } from '@prosa/kernel/privacy/erasure-journal'
import { openFiles } from '@prosa/kernel/process/open-files'
import { runUntilStopped } from '@prosa/kernel/process/run-until-stopped'
import { administration } from '@prosa/product/administration/administration'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { servicesOf } from '../src/all-services.ts'
import { processHealth } from '../src/cluster/process-health.ts'
import { productLanding } from '../src/product-landing.ts'
import type { ProcessName } from '../src/topology/processes.ts'
import { serveWebApp } from '../src/web-app.ts'
import type { ClusterRules } from './clustered-product.ts'

/** A process of the cluster, as `local-service.ts`, with rules of a test that no variable of the product sets. */
const read = readConfig('development')
const rules: ClusterRules = JSON.parse(process.env.PROSA_TEST_RULES ?? '')
const { limitScale, budgets, planRules, realNetworkToo } = rules
const networks = realNetworkToo ? { webSocketUrl: undefined, simulatorUrl: read.webSocketUrl } : {}
const config = { ...read, ...networks, reach: 'loopback too' as const }
const name = process.argv[2] as ProcessName
const webFolder = join(import.meta.dirname, '../../web/dist/simulator')
const own =
  name === 'web'
    ? [processHealth(config.processes)]
    : servicesOf[name](config, { simulatorUploads: loopbackUploadAgent() })
const services = [administration, ...own]
const ports = await openPorts({
  databaseUrl: config.databaseUrl ?? '',
  masterSecret: Buffer.from(config.secret ?? '', 'hex'),
  log: createLog(config.logLevel),
  readSide,
  services,
  redisUrl: config.redisUrl,
  files: openFiles(config),
  erasures: fileErasureJournal(config.erasuresFile),
  budgets,
  planRules,
  sendingNeedsConfirmedEmail: config.sendingNeedsConfirmedEmail,
  ...(config.identityUrl !== undefined && name !== 'identity' && { tokensOf: config.identityUrl }),
})
await runUntilStopped(
  services,
  ports,
  {
    ...config,
    limitScale,
    async prepare(app) {
      if (name !== 'web') return addSecurityHeaders(app)
      await serveWebApp(app, webFolder, await productLanding(ports, config, webFolder), endpoints)
    },
  },
  { ready: () => undefined, stopped: async () => undefined },
)
process.exit(0)
