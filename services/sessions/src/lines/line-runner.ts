import { setTimeout as delay } from 'node:timers/promises'
import type { Instant } from '@prosa/contracts/values/instant'
import { type Clock, later } from '@prosa/kernel/clock'
import type { Logger } from '@prosa/kernel/log'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { toDataURL } from 'qrcode'
import type { ConnectionState } from '../connection.ts'
import type { Gateway, KnownNumber, LineHandle, LineHooks, LinkedNumber } from '../gateway.ts'
import type { Lease } from '../leases/lease-keeper.ts'
import { pacedLookUps } from '../lookups/paced-look-ups.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { outlasting } from '../outlasting.ts'
import type { TokenBucket } from '../pacing/token-bucket.ts'
import { pairing, pairingCodeSecret } from '../pairing/pairing.ts'
import type { PairingRequests } from '../pairing/pairing-requests.ts'
import type { LinePresence } from '../presence/presence-bridge.ts'
import { backoffMilliseconds, type Close, reconnectRule } from '../reconnect-rule.ts'
import type { SessionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'
import type { NumberChange } from './number-change.ts'
import { sender } from './sender.ts'

/** `linking`: waits for a phone to scan the code. */
export const lineStates = ['linking', 'connecting', 'open'] as const
export type LineState = (typeof lineStates)[number]

/** Keeps one connection's line to WhatsApp up, from the QR code on, until WhatsApp or the subscriber ends it, or the lease is lost. */
export interface LineRunner {
  readonly generation: number
  state(): LineState
  /** False once the line is over, or the connection wants something else: other credentials, or a new linking attempt. */
  serves(state: ConnectionState): boolean
  /** There may be messages to send, or somebody wants a pairing code. */
  wake(): void
  /** Asks WhatsApp whose number this is, as `LineHandle.findNumber`; undefined while the line is not open. */
  findNumber(phone: string): Promise<KnownNumber | undefined> | undefined
  /** Closes the line; with `logOut` the phone is told first to forget this device. */
  stop(how: { logOut: boolean }): Promise<void>
}

export interface LineRunnerDeps {
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
  /** What this connection may look up of numbers. */
  lookUps: TokenBucket
  /** WhatsApp is not asked for codes any more: a phone took one, or the line is over. */
  linkingOver(): void
}

/** Kind under which the picture of the code to scan is kept, by connection. */
export const qrSecret = 'qr'

/** WhatsApp asks for one restart after linking; one that asks again and again is waited for like any other trouble. */
const mostRestarts = 3

export const startLine = (connectionId: string, state: ConnectionState, deps: LineRunnerDeps): LineRunner => {
  const {
    gateway,
    lease,
    facts,
    outbox,
    secrets,
    pairingRequests: requests,
    presence,
    clock,
    log,
    timings,
    lookUps,
    linkingOver,
  } = deps
  const { generation, linkingUntil } = state
  const stopping = new AbortController()
  const outgoing = sender({ connectionId, outbox, facts, clock, timings, log })

  let unlinkedUntil: Instant | null = linkingUntil
  /** Undefined until it was asked; then it stays, for these credentials are one number's. */
  let change: NumberChange | null | undefined
  let handle: LineHandle | undefined
  let isOpen = false
  let hasEnded = false
  let [failures, badSessions, restarts] = [0, 0, 0]
  let firstBadSession = clock.now()
  const codeByHand = pairing({
    connectionId,
    generation,
    until: () => unlinkedUntil,
    requests,
    secrets,
    facts,
    log,
  })

  const leave = () => {
    stopping.abort()
    handle?.close().catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
  }
  lease.signal.addEventListener('abort', leave, { once: true })

  /** Hooks return at once; what they record waits in line, and is only rejected when the process ends. */
  const noted = (fact: Promise<void>) => {
    fact.catch((error) => {
      if (!stopping.signal.aborted) log.error({ connectionId, err: error }, 'fact not recorded')
    })
  }

  const showQrCode = (text: string, lifeMilliseconds: number, until: Instant) => {
    const ownEnd = later(clock.now(), lifeMilliseconds)
    const expiresAt = ownEnd < until ? ownEnd : until
    noted(facts.also(async () => secrets.put(qrSecret, connectionId, await toDataURL(text), expiresAt)))
    noted(facts.connection({ type: 'IssueQrCode', data: { generation, expiresAt } }))
  }

  const haveNumber = (number: LinkedNumber) => {
    if (unlinkedUntil === null) return
    unlinkedUntil = null
    linkingOver()
    noted(facts.connection({ type: 'LinkNumber', data: { generation, ...number } }))
    noted(
      facts.also(async () => {
        for (const kind of [qrSecret, pairingCodeSecret]) await secrets.delete(kind, connectionId)
        await requests.forget(connectionId)
      }),
    )
  }

  /** It lasted, or carried a message: if it breaks now, it is reached again as quickly as at first. */
  const proveGood = () => {
    failures = restarts = 0
  }

  const sendOver = async (open: LineHandle, signal: AbortSignal) => {
    if (change === undefined) change = await facts.numberChange(generation)
    if (change !== undefined) await outgoing.run(open, signal, change)
  }

  /** One life of a line; resolves when it is closed. */
  const connectOnce = (): Promise<Close> => {
    const whileOpen = new AbortController()
    const wasLinked = unlinkedUntil === null
    let codes = 0
    let steady: NodeJS.Timeout | undefined
    return new Promise((resolve, reject) => {
      const hooks: LineHooks = {
        qrCode(text) {
          if (unlinkedUntil === null) {
            // The next code may be due between the scan and the restart that WhatsApp asks for after it: it is nobody's.
            if (!wasLinked) return
            // Credentials that were linked are lost when WhatsApp shows codes for them.
            return resolve({ code: 401, reason: 'credentials are missing' })
          }
          showQrCode(text, codes++ === 0 ? timings.firstQrCode : timings.nextQrCode, unlinkedUntil)
          if (handle) codeByHand.ready(handle)
        },
        linked: haveNumber,
        opened(number) {
          haveNumber(number)
          noted(facts.connection({ type: 'OpenLine', data: { generation } }))
          isOpen = true
          if (handle) presence.opened(handle)
          // A line that opens has good credentials, which says nothing about how long it lasts.
          badSessions = 0
          steady = setTimeout(proveGood, timings.steady)
          if (handle) noted(sendOver(handle, AbortSignal.any([whileOpen.signal, stopping.signal])))
        },
        async arrived(arrival) {
          await facts.arrived(arrival)
          proveGood()
        },
        acknowledged(messageId, error) {
          if (error === undefined) proveGood()
          outgoing.acknowledged(messageId, error)
        },
        reported(messageId, status, isFrom) {
          noted(
            facts.reported(messageId, status, isFrom).then((counts) => {
              if (counts) outgoing.proven(messageId)
            }),
          )
        },
        sentAs: (messageId) =>
          outlasting(
            () => outbox.find(connectionId, messageId),
            () => stopping.signal.throwIfAborted(),
          ),
        fileAnswered: (messageId, answer) => noted(facts.fileAnswered(messageId, answer)),
        presence: presence.heard,
        closed: resolve,
      }
      gateway.connect({ connectionId, generation, token: lease.token }, hooks).then((connected) => {
        handle = pacedLookUps(connected, lookUps)
        if (stopping.signal.aborted) void connected.close()
      }, reject)
    }).finally(async () => {
      clearTimeout(steady)
      if (isOpen && !stopping.signal.aborted) outgoing.lineBroke()
      whileOpen.abort()
      isOpen = false
      presence.closed()
      codeByHand.over()
      await handle?.close()
      handle = undefined
    }) as Promise<Close>
  }

  const unreachable = (error: unknown): Close => {
    log.warn({ connectionId, err: error }, 'line not started')
    return { code: 0, reason: 'credentials are out of reach' }
  }

  /** What a close leads to; answers whether the line is to be tried again. */
  const follow = async (close: Close): Promise<boolean> => {
    if (close.code !== 500) badSessions = 0
    else if (badSessions++ === 0) firstBadSession = clock.now()
    // Who is linking a number sits in front of it and can scan a new code.
    const haveLasted = unlinkedUntil !== null || later(firstBadSession, timings.badSessions) <= clock.now()
    const step = reconnectRule(close, { count: badSessions, haveLasted })
    switch (step) {
      case 'unlinked':
        await facts.connection({ type: 'UnlinkNumber', data: { generation } })
        return false
      case 'refused':
        await facts.connection({ type: 'RefuseConnection', data: { generation, ...close } })
        return false
      case 'replaced':
        await facts.connection({ type: 'ReplaceConnection', data: { generation } })
        return false
      case 'refs_ended':
        if (unlinkedUntil === null) return true
        await facts.connection({ type: 'ExpireLinking', data: { until: unlinkedUntil } })
        return false
      case 'reconnect_at_once':
        if (restarts++ < mostRestarts) return true
    }
    noted(facts.connection({ type: 'DropLine', data: { generation, ...close } }))
    const pause = backoffMilliseconds(failures++, Math.random(), timings.firstBackoff, timings.longestBackoff)
    await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
    return true
  }

  const expireLinking = async () => {
    if (linkingUntil === null) return
    const left = Date.parse(linkingUntil) - Date.parse(clock.now())
    await delay(Math.max(0, left), undefined, { signal: stopping.signal })
    if (unlinkedUntil === null) return
    await facts.connection({ type: 'ExpireLinking', data: { until: unlinkedUntil } })
    // A phone scanned the last code while that was being stored.
    if (unlinkedUntil === null) return
    stopping.abort()
    await handle?.close()
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const close = await connectOnce().catch(unreachable)
      if (stopping.signal.aborted || !(await follow(close))) return
    }
  }

  const ended = run()
    .catch((error) => {
      if (!stopping.signal.aborted) log.error({ connectionId, err: error }, 'line gave up')
    })
    .finally(() => {
      hasEnded = true
      linkingOver()
    })
  expireLinking().catch((error) => {
    if (!stopping.signal.aborted) log.error({ connectionId, err: error }, 'linking not ended')
  })

  return {
    generation,
    state: () => (isOpen ? 'open' : unlinkedUntil === null ? 'connecting' : 'linking'),
    serves: (wanted) =>
      !hasEnded &&
      !stopping.signal.aborted &&
      wanted.generation === generation &&
      (wanted.status !== 'linking' || wanted.linkingUntil === linkingUntil),
    wake() {
      outgoing.wake()
      codeByHand.look()
    },
    findNumber: (phone) => (isOpen ? handle?.findNumber(phone) : undefined),
    async stop({ logOut }) {
      const goodbye = logOut && isOpen && handle?.logOut()
      lease.signal.removeEventListener('abort', leave)
      stopping.abort()
      if (goodbye) await Promise.race([goodbye, delay(timings.logout)]).catch(() => undefined)
      await handle?.close()
      await ended
    },
  }
}
