import type { Logger } from '@prosa/kernel/observability/log'
import type { Close, Gateway, LineHandle, LineHooks } from '../gateway/gateway.ts'
import { retryWhileUnreachable } from '../gateway/retry-while-unreachable.ts'
import type { Lease } from '../leases/lease-keeper.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { LineFacts } from './line-facts.ts'
import type { LineInput } from './line-machine.ts'
import { pacedLookUps, type TakeLookUp } from './look-ups/paced-look-ups.ts'
import type { NumberChange } from './number-change.ts'
import type { LinePresence } from './presence/presence-bridge.ts'
import type { Sender } from './sender.ts'

export interface LineSocketDeps {
  connectionId: string
  generation: number
  gateway: Gateway
  lease: Lease
  facts: LineFacts
  outbox: Outbox
  presence: LinePresence
  log: Logger
  lookUps: TakeLookUp
  outgoing: Sender
  signal: AbortSignal
  report(input: LineInput): void
  /** Rejects only when the process ends or the lease is lost. */
  record(fact: Promise<void>): void
}

export interface LineSocket {
  handle(): LineHandle | undefined
  connect(): void
  serve(): void
  /** `broke`: the close was not requested. Returns the reason that counts. */
  release(close: Close, broke: boolean): Promise<Close>
}

/** `isCurrent`: false once released. Hooks return at once. */
const lineHooks = (
  { connectionId, facts, outbox, presence, outgoing, signal, record, report }: LineSocketDeps,
  isCurrent: () => boolean,
): LineHooks => ({
  qrCode(text) {
    if (isCurrent()) report({ type: 'qrCodeReceived', text })
  },
  linked: (number) => report({ type: 'linked', number }),
  opened: (number) => report({ type: isCurrent() ? 'opened' : 'linked', number }),
  async arrived(arrival) {
    await facts.arrived(arrival)
    report({ type: 'provenGood' })
  },
  acknowledged(messageId, error) {
    if (error === undefined) report({ type: 'provenGood' })
    outgoing.acknowledged(messageId, error)
  },
  reported(messageId, status, isFrom) {
    record(
      facts.reported(messageId, status, isFrom).then((counts) => {
        if (counts) outgoing.proven(messageId)
      }),
    )
  },
  findSent: (messageId) =>
    retryWhileUnreachable(
      () => outbox.find(connectionId, messageId),
      () => signal.throwIfAborted(),
    ),
  fileAnswered: (messageId, answer) => record(facts.fileAnswered(messageId, answer)),
  presence: presence.received,
  closed(close) {
    if (isCurrent()) report({ type: 'closed', close })
  },
})

export const lineSocket = (deps: LineSocketDeps): LineSocket => {
  const { connectionId, generation, gateway, lease, facts, presence, log, lookUps, outgoing, signal, report } = deps
  let handle: LineHandle | undefined
  let current: AbortController | undefined
  /** undefined until queried, then constant: credentials belong to one number. */
  let change: NumberChange | null | undefined

  const unreachable = (error: unknown): Close => {
    log.warn({ connectionId, err: error }, 'line not started')
    return { code: 0, reason: 'credentials are out of reach' }
  }

  const send = async (open: LineHandle, whileOpen: AbortSignal) => {
    if (change === undefined) change = await facts.numberChange(generation)
    if (change !== undefined) await outgoing.run(open, whileOpen, change)
  }

  return {
    handle: () => handle,
    connect() {
      const socket = new AbortController()
      current = socket
      const isCurrent = () => current === socket
      gateway.connect({ connectionId, generation, token: lease.token }, lineHooks(deps, isCurrent)).then(
        (connected) => {
          if (isCurrent()) handle = pacedLookUps(connected, lookUps)
          if (isCurrent() && !signal.aborted) return
          connected.close().catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
        },
        (error) => {
          const close = unreachable(error)
          if (isCurrent()) report({ type: 'closed', close })
        },
      )
    },
    serve() {
      if (!handle || !current) return
      presence.opened(handle)
      deps.record(send(handle, AbortSignal.any([current.signal, signal])))
    },
    async release(close, broke) {
      if (broke) outgoing.lineBroke()
      current?.abort()
      current = undefined
      presence.closed()
      try {
        await handle?.close()
        return close
      } catch (error) {
        return unreachable(error)
      } finally {
        handle = undefined
      }
    },
  }
}
