import { automation } from '@prosa/automation/automation'
import { wireBilling } from '@prosa/billing/wire-billing'
import { contactsAt } from '@prosa/contacts/contacts'
import { wireIdentity } from '@prosa/identity/wire-identity'
import type { Clock } from '@prosa/kernel/clock'
import type { ReadModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import { type Host, host } from '@prosa/kernel/host'
import { type Logger, silentLog } from '@prosa/kernel/observability/log'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Service } from '@prosa/product/ports'
import { readConfig } from '@prosa/product/process/config'
import { type OpenPorts, openMigratedPorts } from '@prosa/product/process/open-ports'
import { projections, readModels } from '@prosa/projections/projections'
import { readSide } from '@prosa/projections/read-side'
import type { RouteOptions } from 'fastify'
import { theDatabase } from './platform/database.ts'
import { happens, type Random } from './platform/random.ts'
import { inProcess, type SimulatedProcess, theWorld } from './platform/world.ts'
import { whatsappNetwork } from './whatsapp-network.ts'

export const adminEmail = 'admin@example.com'
export const kiwifyTokens = { approved: 'approved-token', refunded: 'refunded-token' } as const

const config = readConfig('development', {
  PROSA_ADMIN_EMAILS: adminEmail,
  PROSA_KIWIFY_APPROVED_TOKENS: kiwifyTokens.approved,
  PROSA_KIWIFY_REFUNDED_TOKENS: kiwifyTokens.refunded,
  PROSA_PUBLIC_URL: 'http://localhost:3000',
})

const services: readonly Service[] = [
  wireIdentity(config),
  wireBilling(config),
  contactsAt(undefined),
  automation,
  whatsappNetwork,
]

const needed = ['account', 'connections', 'contact-list', 'chat-messages', 'labels', 'media', 'plans', 'usage', 'flows']

const asked = [
  ...['/api/auth/', '/api/whatsapp/', '/api/opening-hours', '/api/flows', '/kiwify/', '/api/kiwify/'],
  ...['/api/admin/users/', '/api/admin/reading-purposes'],
]

/** All processes of a history keep the needed read models and the same drawn ones. */
export const drawReadModels = (random: Random, share: number): readonly ReadModel[] =>
  readModels.filter(({ name }) => needed.includes(name) || happens(random, share))

export interface StartOptions {
  clock: Clock
  log?: Logger | undefined
  models?: readonly ReadModel[]
}

export interface ProductProcess {
  process: SimulatedProcess
  ports: OpenPorts
  host: Host
  /** Rejects once the process is dead. */
  died: Promise<never>
  crash(): Promise<void>
  stop(): Promise<void>
  /** Modules hold on to dead processes, which fills memory over many runs. */
  forget(): Promise<void>
}

export const startProduct = async (
  name: string,
  { clock, log = silentLog(), models = readModels }: StartOptions,
): Promise<ProductProcess> => {
  const process: SimulatedProcess = { name, isAlive: true, frozenUntilMs: 0 }
  let die: (error: Error) => void = () => undefined
  const died = new Promise<never>((_, reject) => {
    die = reject
  })
  died.catch(() => undefined)
  const end = async () => {
    if (!process.isAlive) return
    process.isAlive = false
    for (const client of [...theDatabase().clients].filter((each) => each.process === process)) {
      client.isLost = true
      await theDatabase().disconnect(client)
    }
    die(new Error(`${name} was killed`))
  }
  const cut = () => theWorld().meanwhileNothing(end)
  const start = inProcess(process, async () => {
    const ports = await openMigratedPorts({
      databaseUrl: `postgres://simulated/${theWorld().seed}-${name}`,
      masterSecret: Buffer.alloc(32, 7),
      log,
      readSide,
      planRules: { ...noPlanRules, afterEnd: 'ended' },
      clock,
    })
    const running = await host([...services, projections({ models })], ports, {
      hostname: 'localhost',
      port: 0,
      trustedOrigins: config.trustedOrigins,
      limitScale: 1000,
      async prepare(app) {
        // Mounts only routes that histories ask for: all of them are a third of the start.
        const routes: { route(options: RouteOptions): unknown } = app
        const { route } = routes
        routes.route = function (this: unknown, options) {
          return asked.some((each) => options.url.startsWith(each)) ? route.call(this, options) : this
        }
        // `inject` instead of sockets, whose timing no seed controls.
        app.listen = async () => {
          await app.ready()
          return ''
        }
      },
    })
    return { ports, host: running }
  })
  const started = await Promise.race([start, died]).catch(async (error: unknown) => {
    await cut()
    throw error
  })
  return {
    ...started,
    process,
    died,
    crash: cut,
    async stop() {
      const drained = inProcess(process, () => started.host.stop().then(started.ports.close))
      await Promise.race([drained, died, theWorld().pause(config.drainSeconds * 1000)]).catch(() => undefined)
      await cut()
    },
    forget: started.ports.close,
  }
}
