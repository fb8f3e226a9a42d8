import type { Agent } from 'node:https'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Ports, Service } from '@prosa/product/ports'
import { type Networks, networkNames } from '@prosa/product/process/networks'
import { connectionCommands } from './connection/connection-commands.ts'
import { connectionNames } from './connection/names/connection-names.ts'
import { type PairingRequests, pairingRequests } from './connection/pairing-requests.ts'
import { quickSessionRoutes } from './connection/quick-session-routes.ts'
import { connectionQuota } from './connection/quota/connection-quota.ts'
import { countOnConnectionEvent } from './connection/quota/count-on-connection-event.ts'
import { removeOnUserErased } from './connection/remove-on-user-erased.ts'
import { connectionRoutes } from './connection/routes.ts'
import { whatsappSessionRoutes } from './connection/whatsapp-session-routes.ts'
import type { Network } from './domain/connection.ts'
import { baileysGateway } from './gateway/baileys-gateway.ts'
import { credentialStore } from './gateway/credentials/credential-store.ts'
import type { Gateway } from './gateway/gateway.ts'
import { sessionHandlers } from './handlers.ts'
import { leaseKeeper } from './leases/lease-keeper.ts'
import { lineSupervisor } from './line/line-supervisor.ts'
import { linkingSlots } from './line/linking-slots.ts'
import { answerNumberAsked } from './line/look-ups/answer-number-asked.ts'
import { lookUpsOfLines } from './line/look-ups/paced-look-ups.ts'
import { networkAddresses } from './line/networks.ts'
import { persistence } from './line/persistence.ts'
import { presenceBridge } from './line/presence/presence-bridge.ts'
import { phoneAnswers } from './media/phone-answers.ts'
import { openStoredMedia } from './media/stored-media.ts'
import { sessionMigrations } from './migrations/session-migrations.ts'
import { dispatchOnMessageQueued } from './outbox/dispatch-on-message-queued.ts'
import { outbox } from './outbox/outbox.ts'
import { readMarks } from './outbox/read-marks.ts'
import { sessionMetrics } from './session-metrics.ts'
import { noPace, productionTimings, type SessionTimings } from './timings.ts'

export interface SessionSettings {
  /** Throws for an address that is neither WhatsApp's nor, outside production, loopback. */
  networks: Networks
  production: boolean
  /** For the simulator's own certificate; without it only texts go there. */
  simulatorUploads?: Agent
  /** Only tests change durations. */
  timings?: Partial<SessionTimings>
}

type NetworkAddresses = ReadonlyMap<Network, URL | undefined>

const gatewaysOf = (
  ports: Ports,
  addresses: NetworkAddresses,
  { networks, simulatorUploads, timings }: SessionSettings,
) => {
  const { pool, writePool, box, clock, log } = ports
  const credentials = credentialStore(pool, box, writePool)
  const media = openStoredMedia(ports)
  let undecrypted = 0
  const gateways = new Map<Network | null, Gateway>()
  for (const [network, webSocketUrl] of addresses) {
    const gateway = baileysGateway({
      credentials,
      clock,
      log,
      webSocketUrl,
      // Baileys takes one lifetime for all codes, or WhatsApp's own.
      qrTimeout: timings?.nextQrCode,
      fingerprint: box.fingerprint,
      media,
      uploadAgent: network === 'simulator' ? simulatorUploads : undefined,
      onUndecrypted: () => undecrypted++,
    })
    gateways.set(network, gateway)
    if (network === networks[0].name) gateways.set(null, gateway)
  }
  return { gateways, credentials, undecrypted: () => undecrypted }
}

const linesOf = (
  ports: Ports,
  addresses: NetworkAddresses,
  settings: SessionSettings,
  pairing: PairingRequests,
  handlers: ReturnType<typeof sessionHandlers>,
) => {
  const { pool, box, pubSub, clock, log, budgets } = ports
  const timings = { ...productionTimings, ...settings.timings }
  const unpaced = { ...productionTimings, linkingPace: noPace, messagePace: noPace, firstContactPace: noPace }
  const now = () => Date.parse(clock.now())
  const { gateways, credentials, undecrypted } = gatewaysOf(ports, addresses, settings)
  const presence = presenceBridge({ pubSub, log, now, attendance: timings.attendance })
  const slots = linkingSlots(budgets.linkingPerProcess, now, ports.redis)
  const storing = persistence(log)
  const messages = outbox(pool, box)
  const supervisor = lineSupervisor({
    ...handlers,
    ports,
    gateways,
    leases: leaseKeeper({ pool, log, leaseMs: timings.lease }),
    credentials,
    outbox: messages,
    pairingRequests: pairing,
    presence,
    persistence: storing,
    slots,
    lookUps: lookUpsOfLines(budgets.lookUpsPerLineHour, now, ports.redis),
    phoneAnswers: phoneAnswers(pool, clock),
    timings,
    timingsOn: (network) =>
      (network ?? settings.networks[0].name) === 'simulator' ? { ...unpaced, ...settings.timings } : timings,
  })
  return {
    messages,
    async run(signal: AbortSignal) {
      answerNumberAsked({ pubSub, linesOf: supervisor.linesOf, log, ms: timings.lookup }, signal)
      await Promise.all([supervisor.run(signal), presence.run(signal)])
    },
    metrics: () =>
      sessionMetrics({
        states: supervisor.states(),
        linesWaiting: slots.waiting(),
        factsWaiting: storing.waiting(),
        undecrypted: undecrypted(),
      }),
    health() {
      const trouble = supervisor.trouble()
      const waiting = storing.waiting()
      return {
        ...(trouble && { 'whatsapp lines': trouble }),
        ...(waiting > 0 && { 'whatsapp facts not stored': waiting }),
      }
    },
  }
}

export const sessions = (settings: SessionSettings): Service => {
  const { networks, production } = settings
  const addresses = networkAddresses(networks, production)

  return {
    name: 'sessions',
    migrations: sessionMigrations,
    async mount(ports) {
      const { pool, secrets, clock, entitlements } = ports
      const handlers = sessionHandlers(ports)
      const { connections } = handlers
      const pairing = pairingRequests(pool, secrets)
      const names = connectionNames(ports)
      const readModels = await keepReadModels([readModel(names.projection)], ports)
      const quota = connectionQuota(pool, clock, ports.budgets)
      const lines = linesOf(ports, addresses, settings, pairing, handlers)
      return {
        async routes(app) {
          const timings = { ...productionTimings, ...settings.timings }
          const allowed = networkNames(networks)
          const commands = connectionCommands({ connections, quota, entitlements, clock, timings, networks: allowed })
          await app.register(connectionRoutes(commands, pairing))
          await app.register(quickSessionRoutes(commands, connections, names))
          await app.register(whatsappSessionRoutes(commands))
        },
        reactors: [
          dispatchOnMessageQueued(lines.messages, handlers.lines, readMarks(ports.store, lines.messages)),
          removeOnUserErased(names, connections),
          countOnConnectionEvent(quota),
        ],
        run: async (signal) => void (await Promise.all([lines.run(signal), readModels.run(signal)])),
        parkers: readModels.parkers,
        metrics: () => [...readModels.metrics(), ...lines.metrics()],
        health: () => ({ ...readModels.health(), ...lines.health() }),
      }
    },
  }
}
