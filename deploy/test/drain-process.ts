import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createLog } from '@prosa/kernel/observability/log'
import { orExplain } from '@prosa/kernel/process/explain'
import { runUntilStopped } from '@prosa/kernel/process/run-until-stopped'
import type { Service } from '@prosa/product/ports'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { masterSecret } from '../src/master-secret.ts'

const writing: Service = {
  name: 'writing',
  async mount({ store, codec, clock }) {
    const write = async (correlationId: string) => {
      const [id, contact] = [randomUUID(), randomUUID()]
      const metadata = {
        causationId: id,
        correlationId,
        actor: { kind: 'system' as const, id: 'test' },
        tenant: null,
        recordedAt: clock.now(),
      }
      const event = { type: 'ConversationAccepted' as const, data: { attendantId: contact } }
      const stream = `contact-${contact}`
      await store.append(stream, 'no_stream', await codec.encode([{ id, stream, event, metadata }]))
      return { stored: id }
    }
    return {
      routes: async (app) => {
        app.post('/api/test/write', ({ id }) => write(id))
        app.post('/api/test/write-when-asked', async ({ id }) => {
          process.send?.('waiting')
          await once(process, 'message')
          return write(id)
        })
      },
    }
  },
}

const hanging: Service = {
  name: 'that never ends',
  mount: async () => ({ run: () => new Promise<void>(() => undefined) }),
}

/** The product with all services, or with one that hangs. */
await orExplain(async () => {
  const config = readConfig('development')
  const product = async () => [...(await import('../src/all-services.ts')).allServices(config), writing]
  const services = process.argv[2] === 'hanging' ? [hanging] : await product()
  const ports = await openPorts({
    databaseUrl: config.databaseUrl ?? '',
    masterSecret: await masterSecret(config.secret, config.dataDir),
    log: createLog(config.logLevel),
    readSide,
    services,
  })
  await runUntilStopped(
    services,
    ports,
    { ...config, limitScale: 1000 },
    { ready: ({ url }) => process.send?.(url), stopped: async () => undefined },
  )
})
