import type { Figure } from '@prosa/kernel/observability/figure'
import type { Service } from '@prosa/kernel/ports'
import { baileysGateway } from './baileys-gateway.ts'
import { credentialStore } from './credentials/credential-store.ts'
import { sessionHandlers } from './handlers.ts'
import { lineStates } from './lines/line-runner.ts'
import { lineSupervisor } from './lines/line-supervisor.ts'
import { persistence } from './lines/persistence.ts'
import { dispatchOnMessageQueued } from './outbox/dispatch-on-message-queued.ts'
import { outbox } from './outbox/outbox.ts'
import { removeOnUserErased } from './remove-on-user-erased.ts'
import { connectionRoutes } from './routes.ts'
import { createSessionTables } from './tables.ts'
import { productionTimings, type SessionTimings } from './timings.ts'
import { webSocketAddress } from './web-socket-address.ts'

export interface SessionSettings {
  /** Where WhatsApp is; without it WhatsApp's own address. Throws at once when it is neither that nor, outside production, loopback. */
  webSocketUrl?: string
  production: boolean
  /** Only tests change durations. */
  timings?: Partial<SessionTimings>
}

/** WhatsApp connections: linking, lines, what they hear, and what goes out over them. */
export const sessions = ({ webSocketUrl, production, timings: changed }: SessionSettings): Service => {
  const address = webSocketUrl === undefined ? undefined : webSocketAddress(webSocketUrl, { production })
  const timings = { ...productionTimings, ...changed }
  // Baileys takes one life for all codes, or keeps to WhatsApp's own.
  const qrTimeout = changed?.nextQrCode

  return {
    name: 'sessions',
    async mount(ports) {
      const { pool, box, clock, log } = ports
      await createSessionTables(pool)
      const { connections, lines } = sessionHandlers(ports)
      const credentials = credentialStore(pool, box)
      const messages = outbox(pool, box)
      const storing = persistence(log)
      const supervisor = lineSupervisor({
        ports,
        gateway: baileysGateway({ credentials, clock, log, webSocketUrl: address, qrTimeout }),
        credentials,
        outbox: messages,
        connections,
        lines,
        persistence: storing,
        timings,
      })
      return {
        routes: connectionRoutes({ connections, clock, timings }),
        reactors: [dispatchOnMessageQueued(messages, lines), removeOnUserErased(ports.store, connections)],
        async run(signal) {
          await supervisor.run(signal)
          await storing.stop()
        },
        figures: () => [
          ...lineStates.map((state): Figure => {
            const value = supervisor.states().filter((each) => each === state).length
            const help = 'WhatsApp lines that run in this process, by state.'
            return { name: 'prosa_whatsapp_lines', help, kind: 'gauge', value, labels: { state } }
          }),
          {
            name: 'prosa_whatsapp_facts_waiting',
            help: 'What WhatsApp said and could not be stored yet.',
            kind: 'gauge',
            value: storing.waiting(),
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
