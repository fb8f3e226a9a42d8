import type { Agent } from 'node:https'
import type { Figure } from '@prosa/kernel/observability/figure'
import type { Service } from '@prosa/kernel/ports'
import { baileysGateway } from './baileys-gateway.ts'
import type { Network } from './connection.ts'
import { connectionCommands } from './connection-commands.ts'
import { credentialStore } from './credentials/credential-store.ts'
import type { Gateway } from './gateway.ts'
import { sessionHandlers } from './handlers.ts'
import { leaseKeeper } from './leases/lease-keeper.ts'
import { lineStates } from './lines/line-runner.ts'
import { lineSupervisor } from './lines/line-supervisor.ts'
import { linkingTurns } from './lines/linking-turns.ts'
import { persistence } from './lines/persistence.ts'
import { answerNumberAsked } from './lookups/answer-number-asked.ts'
import { lookUpsOfLines } from './lookups/paced-look-ups.ts'
import { phoneAnswers } from './media/phone-answers.ts'
import { openStoredMedia } from './media/stored-media.ts'
import { connectionNames } from './names/connection-names.ts'
import { rememberConnectionNames } from './names/remember-connection-names.ts'
import { type Networks, networkAddresses, networkNames } from './networks.ts'
import { dispatchOnMessageQueued } from './outbox/dispatch-on-message-queued.ts'
import { outbox } from './outbox/outbox.ts'
import { readMarks } from './outbox/read-marks.ts'
import { pairingRequests } from './pairing/pairing-requests.ts'
import { connectionPlaces } from './places/connection-places.ts'
import { rememberConnectionPlaces } from './places/remember-connection-places.ts'
import { presenceBridge } from './presence/presence-bridge.ts'
import { quickSessionRoutes } from './quick-session-routes.ts'
import { removeOnUserErased } from './remove-on-user-erased.ts'
import { connectionRoutes } from './routes.ts'
import { createSessionTables } from './tables.ts'
import { noPace, productionTimings, type SessionTimings } from './timings.ts'
import { whatsappSessionRoutes } from './whatsapp-session-routes.ts'

export interface SessionSettings {
  /** Throws at once when an address is neither WhatsApp's own nor, outside production, loopback. */
  networks: Networks
  production: boolean
  /** How uploads get to the simulator, whose certificate is its own; without it only texts go there. */
  simulatorUploads?: Agent
  /** Only tests change durations. */
  timings?: Partial<SessionTimings>
}

/** WhatsApp connections: linking, lines, what they hear, and what goes out over them. */
export const sessions = ({ networks, production, simulatorUploads, timings: changed }: SessionSettings): Service => {
  const addresses = networkAddresses(networks, production)
  const timings = { ...productionTimings, ...changed }
  const unpaced = { ...productionTimings, linkingPace: noPace, messagePace: noPace, firstContactPace: noPace }
  // Baileys takes one life for all codes, or keeps to WhatsApp's own.
  const qrTimeout = changed?.nextQrCode

  return {
    name: 'sessions',
    async mount(ports) {
      const { pool, writePool, box, secrets, pubSub, clock, log } = ports
      await createSessionTables(pool)
      const { connections, lines } = sessionHandlers(ports)
      const credentials = credentialStore(pool, box, writePool)
      const messages = outbox(pool, box)
      const storing = persistence(log)
      const pairing = pairingRequests(pool, secrets)
      const names = connectionNames(pool, box)
      const places = connectionPlaces(pool, clock, ports.budgets)
      const storedMedia = openStoredMedia(ports)
      const now = () => Date.parse(clock.now())
      const presence = presenceBridge({ pubSub, log, now, attendance: timings.attendance })
      const turns = linkingTurns(ports.budgets.linkingPerProcess, now)
      const gateways = new Map<Network | null, Gateway>()
      let undecrypted = 0
      for (const [network, address] of addresses)
        gateways.set(
          network,
          baileysGateway({
            credentials,
            clock,
            log,
            webSocketUrl: address,
            qrTimeout,
            fingerprint: box.fingerprint,
            media: storedMedia,
            uploadAgent: network === 'simulator' ? simulatorUploads : undefined,
            onUndecrypted: () => undecrypted++,
          }),
        )
      const byDefault = gateways.get(networks[0].name)
      if (byDefault) gateways.set(null, byDefault)
      const supervisor = lineSupervisor({
        ports,
        gateways,
        leases: leaseKeeper({ pool, log, leaseMilliseconds: timings.lease }),
        credentials,
        outbox: messages,
        pairingRequests: pairing,
        presence,
        connections,
        lines,
        persistence: storing,
        turns,
        lookUps: lookUpsOfLines(ports.budgets.lookUpsPerLineHour, now),
        phoneAnswers: phoneAnswers(pool, clock),
        timings,
        timingsOn: (network) => ((network ?? networks[0].name) === 'simulator' ? { ...unpaced, ...changed } : timings),
      })
      return {
        async routes(app) {
          const commands = connectionCommands({ connections, places, clock, timings, networks: networkNames(networks) })
          await app.register(connectionRoutes(commands, pairing))
          await app.register(quickSessionRoutes(commands, connections, names))
          await app.register(whatsappSessionRoutes(commands))
        },
        reactors: [
          dispatchOnMessageQueued(messages, lines, readMarks(ports.store, messages)),
          removeOnUserErased(ports.store, connections),
          rememberConnectionNames(names),
          rememberConnectionPlaces(places),
        ],
        async run(signal) {
          answerNumberAsked({ pubSub, linesOf: supervisor.linesOf, log, milliseconds: timings.lookup }, signal)
          await Promise.all([supervisor.run(signal), presence.run(signal)])
        },
        figures: () => [
          ...lineStates.map((state): Figure => {
            const value = supervisor.states().filter((each) => each === state).length
            const help = 'WhatsApp lines that run in this process, by state.'
            return { name: 'prosa_whatsapp_lines', help, kind: 'gauge', value, labels: { state } }
          }),
          {
            name: 'prosa_whatsapp_lines_waiting',
            help: 'WhatsApp lines of this process that are to be linked and wait for their turn.',
            kind: 'gauge',
            value: turns.waiting(),
          },
          {
            name: 'prosa_whatsapp_facts_waiting',
            help: 'What WhatsApp said and could not be stored yet.',
            kind: 'gauge',
            value: storing.waiting(),
          },
          {
            name: 'prosa_whatsapp_undecrypted_total',
            help: 'Times that a message came and could not be decrypted; its sender is asked for it again, a few times.',
            kind: 'counter',
            value: undecrypted,
          },
        ],
        health() {
          const trouble = supervisor.trouble()
          const waiting = storing.waiting()
          return {
            ...(trouble && { 'whatsapp lines': trouble }),
            ...(waiting > 0 && { 'whatsapp facts not stored': waiting }),
          }
        },
      }
    },
  }
}
