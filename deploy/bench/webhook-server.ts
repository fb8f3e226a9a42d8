import { host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/observability/log'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { allServices } from '../src/all-services.ts'

const config = readConfig('development', { ...process.env, PROSA_PORT: '0', WA_WEBSOCKET_URL: 'ws://127.0.0.1:1' })
const services = allServices(config)
const ports = await openPorts({
  databaseUrl: process.env.DATABASE_URL ?? '',
  masterSecret: Buffer.alloc(32, 7),
  log: silentLog(),
  readSide,
  services,
})
const product = await host(services, ports, { ...config, limitScale: 1e9 })
process.once('disconnect', () => process.exit(0))
process.send?.(product.url.replace('localhost', '127.0.0.1'))
