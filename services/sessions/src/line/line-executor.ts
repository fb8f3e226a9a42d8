import { once } from 'node:events'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Clock } from '@prosa/kernel/clock'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { linkingCodes } from '../connection/linking-codes.ts'
import type { PairingRequests } from '../connection/pairing-requests.ts'
import type { Close, Gateway, LineHandle } from '../gateway/gateway.ts'
import type { Lease } from '../leases/lease-keeper.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SessionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'
import type { LineEffect, LineInput } from './line-machine.ts'
import { lineSocket } from './line-socket.ts'
import type { TakeLookUp } from './look-ups/paced-look-ups.ts'
import { pairing } from './pairing.ts'
import type { LinePresence } from './presence/presence-bridge.ts'
import { sender } from './sender.ts'

export interface LineDeps {
  gateway: Gateway
  lease: Lease
  facts: LineFacts
  outbox: Outbox
  secrets: SecretStore
  pairingRequests: PairingRequests
  presence: LinePresence
  clock: Clock
  log: Logger
  timings: SessionTimings
  lookUps: TakeLookUp
  linkingOver(): void
}

interface LineExecutorDeps extends LineDeps {
  connectionId: string
  generation: number
  /** null once there is a number. */
  unlinkedUntil: () => Instant | null
  report(input: LineInput): void
}

export interface LineExecutor {
  perform(effect: LineEffect): void
  handle(): LineHandle | undefined
  /** Reports `linkingTimedOut` after so many milliseconds. */
  limitLinking(ms: number): void
  wake(): void
  ended: Promise<unknown>
}

type Performers = { [T in LineEffect['type']]: (effect: Extract<LineEffect, { type: T }>) => void }

export const lineExecutor = (deps: LineExecutorDeps): LineExecutor => {
  const { connectionId, facts, pairingRequests, log, report } = deps
  const stopping = new AbortController()
  const complain = (message: string) => (error: unknown) => {
    if (!stopping.signal.aborted) log.error({ connectionId, err: error }, message)
  }
  const record = (fact: Promise<void>) => {
    fact.catch(complain('fact not recorded'))
  }
  const outgoing = sender(deps)
  const codes = linkingCodes(connectionId, deps)
  const codeByHand = pairing({ ...deps, until: deps.unlinkedUntil, requests: pairingRequests })
  const socket = lineSocket({ ...deps, outgoing, record, signal: stopping.signal })
  const timers: Partial<Record<'linking' | 'steady' | 'wait', NodeJS.Timeout>> = {}
  const end = new AbortController()
  const ended = once(end.signal, 'abort')

  const release = async (why: Close, broke: boolean) => {
    clearTimeout(timers.steady)
    const released = socket.release(why, broke)
    codeByHand.over()
    report({ type: 'released', close: await released })
  }

  const performers: Performers = {
    connect: socket.connect,
    storeQrCode: ({ text, expiresAt }) => record(facts.also(() => codes.showQrCode(text, expiresAt))),
    offerPairingCode() {
      const handle = socket.handle()
      if (handle) codeByHand.ready(handle)
    },
    deleteCodes: () => record(facts.also(codes.delete)),
    endLinking: deps.linkingOver,
    record: ({ command }) => record(facts.connection(command)),
    recordLast({ command }) {
      const settled = facts.connection(command).catch(complain('last fact of the line not recorded'))
      void settled.then(() => report({ type: 'lastFactSettled' }))
    },
    recordExpiry({ until }) {
      const stored = facts.connection({ type: 'ExpireLinking', data: { until } })
      stored.then(() => report({ type: 'expiryStored' })).catch(complain('linking not ended'))
    },
    serve({ steadyMs }) {
      timers.steady = setTimeout(() => report({ type: 'provenGood' }), steadyMs)
      socket.serve()
    },
    release: ({ close, broke }) => void release(close, broke),
    wait({ ms }) {
      timers.wait = setTimeout(() => report({ type: 'waited' }), ms)
    },
    abort() {
      clearTimeout(timers.linking)
      stopping.abort()
    },
    closeSocket() {
      const closed = socket.handle()?.close()
      closed?.catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
    },
    end() {
      for (const timer of Object.values(timers)) clearTimeout(timer)
      deps.linkingOver()
      end.abort()
    },
  }

  return {
    perform: (effect) => (performers[effect.type] as (effect: LineEffect) => void)(effect),
    ended,
    handle: socket.handle,
    limitLinking(ms) {
      timers.linking = setTimeout(() => report({ type: 'linkingTimedOut' }), ms)
    },
    wake() {
      outgoing.wake()
      codeByHand.look()
    },
  }
}
