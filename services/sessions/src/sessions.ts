import type { Agent } from 'node:https'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Service } from '@prosa/product/ports'
import { type Networks, networkNames } from '@prosa/product/process/networks'
import { connectionCommands } from './connection/connection-commands.ts'
import { connectionNames } from './connection/names/connection-names.ts'
import { pairingRequests } from './connection/pairing-requests.ts'
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

const gatewaysOf = (
  addresses: ReadonlyMap<Network, URL | undefined>,
  byDefault: Network,
  gatewayOn: (network: Network, address: URL | undefined) => Gateway,
): ReadonlyMap<Network | null, Gateway> => {
  const gateways = new Map<Network | null, Gateway>()
  for (const [network, address] of addresses) gateways.set(network, gatewayOn(network, address))
  const chosen = gateways.get(byDefault)
  if (chosen) gateways.set(null, chosen)
  return gateways
}

export const sessions = ({ networks, production, simulatorUploads, timings: changed }: SessionSettings): Service => {
  const addresses = networkAddresses(networks, production)
  const timings = { ...productionTimings, ...changed }
  const unpaced = { ...productionTimings, linkingPace: noPace, messagePace: noPace, firstContactPace: noPace }
  // Baileys takes one lifetime for all codes, or WhatsApp's own.
  const qrTimeout = changed?.nextQrCode

  return {
    name: 'sessions',
    migrations: sessionMigrations,
    async mount(ports) {
      const { pool, writePool, box, secrets, pubSub, clock, log } = ports
      const { connections, lines } = sessionHandlers(ports)
      const credentials = credentialStore(pool, box, writePool)
      const messages = outbox(pool, box)
      const storing = persistence(log)
      const pairing = pairingRequests(pool, secrets)
      const names = connectionNames(pool, box)
      const readModels = await keepReadModels([readModel(names.projection)], ports)
      const quota = connectionQuota(pool, clock, ports.budgets)
      const storedMedia = openStoredMedia(ports)
      const now = () => Date.parse(clock.now())
      const presence = presenceBridge({ pubSub, log, now, attendance: timings.attendance })
      const slots = linkingSlots(ports.budgets.linkingPerProcess, now)
      let undecrypted = 0
      const gatewayOn = (network: Network, webSocketUrl: URL | undefined) =>
        baileysGateway({
          credentials,
          clock,
          log,
          webSocketUrl,
          qrTimeout,
          fingerprint: box.fingerprint,
          media: storedMedia,
          uploadAgent: network === 'simulator' ? simulatorUploads : undefined,
          onUndecrypted: () => undecrypted++,
        })
      const gateways = gatewaysOf(addresses, networks[0].name, gatewayOn)
      const supervisor = lineSupervisor({
        ports,
        gateways,
        leases: leaseKeeper({ pool, log, leaseMs: timings.lease }),
        credentials,
        outbox: messages,
        pairingRequests: pairing,
        presence,
        connections,
        lines,
        persistence: storing,
        slots,
        lookUps: lookUpsOfLines(ports.budgets.lookUpsPerLineHour, now),
        phoneAnswers: phoneAnswers(pool, clock),
        timings,
        timingsOn: (network) => ((network ?? networks[0].name) === 'simulator' ? { ...unpaced, ...changed } : timings),
      })
      return {
        async routes(app) {
          const commands = connectionCommands({
            connections,
            quota,
            entitlements: ports.entitlements,
            clock,
            timings,
            networks: networkNames(networks),
          })
          await app.register(connectionRoutes(commands, pairing))
          await app.register(quickSessionRoutes(commands, connections, names))
          await app.register(whatsappSessionRoutes(commands))
        },
        reactors: [
          dispatchOnMessageQueued(messages, lines, readMarks(ports.store, messages)),
          removeOnUserErased(ports.store, connections),
          countOnConnectionEvent(quota),
        ],
        async run(signal) {
          answerNumberAsked({ pubSub, linesOf: supervisor.linesOf, log, ms: timings.lookup }, signal)
          await Promise.all([supervisor.run(signal), presence.run(signal), readModels.run(signal)])
        },
        parkers: readModels.parkers,
        metrics: () => [
          ...readModels.metrics(),
          ...sessionMetrics({
            states: supervisor.states(),
            linesWaiting: slots.waiting(),
            factsWaiting: storing.waiting(),
            undecrypted,
          }),
        ],
        health() {
          const trouble = supervisor.trouble()
          const waiting = storing.waiting()
          return {
            ...readModels.health(),
            ...(trouble && { 'whatsapp lines': trouble }),
            ...(waiting > 0 && { 'whatsapp facts not stored': waiting }),
          }
        },
      }
    },
  }
}
