import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/observability/log'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import fastify from 'fastify'
import { allServices } from '../src/all-services.ts'
import { serveWebApp } from '../src/web-app.ts'

const config = readConfig('development', { ...process.env, PROSA_PORT: '0', WA_WEBSOCKET_URL: 'ws://127.0.0.1:1' })
const services = allServices(config)
const ports = await openPorts({
  databaseUrl: process.env.DATABASE_URL ?? '',
  masterSecret: Buffer.alloc(32, 7),
  log: silentLog(),
  readSide,
  services,
})
const webFolder = mkdtempSync(join(tmpdir(), 'prosa-bench-web-'))
writeFileSync(join(webFolder, 'index.html'), '<!doctype html>')
const product = await host(services, ports, {
  ...config,
  limitScale: 1e9,
  prepare: (app) => serveWebApp(app, webFolder),
})

const bare = fastify()
bare.get('/', async () => ({ ok: true }))
const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 })

/** Replies with the CPU time of this process in µs. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.once('disconnect', () => process.exit(0))
process.send?.({ product: product.url.replace('localhost', '127.0.0.1'), bare: bareUrl })
