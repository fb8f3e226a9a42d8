import { host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPorts } from '@prosa/product/process/open-ports'
import { automationAt } from '../../automation.ts'
import { noReadSide } from './no-read-side.ts'

/** Runs flows until killed. Arguments: database, master secret in hexadecimal. */
const [databaseUrl = '', secret = ''] = process.argv.slice(2)
const services = [automationAt({ reach: 'loopback too', pauses: [20, 20], pollMs: 20 })]
const ports = await openPorts({
  ...{ databaseUrl, masterSecret: Buffer.from(secret, 'hex'), log: silentLog(), readSide: noReadSide, services },
})
await host(services, ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
