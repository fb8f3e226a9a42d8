import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createLog } from '@prosa/kernel/log'
import type { Service } from '@prosa/kernel/ports'
import { readConfig } from '../src/config.ts'
import { orExplain } from '../src/explain.ts'
import { masterSecret } from '../src/master-secret.ts'
import { openPorts } from '../src/ports.ts'
import { runUntilStopped } from '../src/run.ts'

/** Routes that store an event: at once, or when the parent process says so. */
const writing: Service = {
  name: 'writing',
  async mount({ store, codec, clock }) {
    const write = async (correlationId: string) => {
      const [id, contact] = [randomUUID(), randomUUID()]
      const metadata = {
        causationId: id,
        correlationId,
        actor: { kind: 'system' as const, id: 'test' },
        owner: null,
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
        app.post('/api/test/write-when-told', async ({ id }) => {
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

/** The product as a process of its own, to be asked to end: with all services, or with one that hangs. */
await orExplain(async () => {
  const config = readConfig('development')
  const secret = await masterSecret(config.secret, config.dataDir)
  const ports = await openPorts(config.databaseUrl ?? '', secret, createLog(config.logLevel))
  const product = async () => [...(await import('../src/all-services.ts')).allServices(config, ports), writing]
  const services = process.argv[2] === 'hanging' ? [hanging] : await product()
  await runUntilStopped(
    services,
    ports,
    { ...config, limitScale: 1000 },
    { ready: ({ url }) => process.send?.(url), stopped: async () => undefined },
  )
})
