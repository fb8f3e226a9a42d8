import { AsyncResource } from 'node:async_hooks'
import type { Clock } from '@prosa/kernel/clock'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Logger } from '@prosa/kernel/observability/log'
import type { LineHandle } from '../gateway/gateway.ts'
import type { NextMessage, Outbox } from '../outbox/outbox.ts'
import type { SessionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'
import type { NumberChange } from './number-change.ts'
import { type Preparations, preparations } from './preparations.ts'
import { maxAttempts, type SenderEffect, type SenderInput, senderMachine, senderStep } from './sender-machine.ts'

export interface Sender {
  /** In order, until the signal aborts. Messages from before `change` are given up. */
  run(handle: LineHandle, signal: AbortSignal, change: NumberChange | null): Promise<void>
  /** Call before the signal of `run` aborts. */
  lineBroke(): void
  wake(): void
  /** `error` is the server's refusal code. */
  acknowledged(messageId: string, error: string | undefined): void
  /** A receipt proves that the server accepted the message. */
  proven(messageId: string): void
}

export interface SenderDeps {
  connectionId: string
  outbox: Outbox
  facts: LineFacts
  clock: Clock
  timings: SessionTimings
  log: Logger
}

const numberJid = /^(\d+)@s\.whatsapp\.net$/

interface OpenLine {
  handle: LineHandle
  signal: AbortSignal
  pending: Set<Promise<void>>
}

type EffectOf<T extends SenderEffect['type']> = Extract<SenderEffect, { type: T }>
type Question = Exclude<SenderEffect, { type: 'wait' | 'send' | 'prepare' | 'settleLate' }>
type Answers = {
  [T in Question['type']]: (effect: EffectOf<T>, line: OpenLine) => Promise<SenderInput>
}

const hasNoAccount = async (
  { connectionId, log }: SenderDeps,
  { handle }: OpenLine,
  { toJid }: NextMessage,
): Promise<boolean> => {
  const phone = numberJid.exec(toJid)?.[1]
  if (!phone) return false
  try {
    return (await handle.findNumber(phone)) === undefined
  } catch (error) {
    log.warn({ connectionId, err: error }, 'number not looked up')
    return false
  }
}

/** Read marks and requests for files, with limited retries. */
const runSideWork = async (
  { connectionId, facts, outbox, log }: SenderDeps,
  { handle, signal }: OpenLine,
  message: NextMessage,
): Promise<SenderInput> => {
  const { messageId, work } = message
  try {
    if (work?.kind === 'read')
      for (const [chatJid, ids] of await facts.byChat(work.messageIds)) await handle.markRead(chatJid, ids)
    if (work?.kind === 'reupload') {
      const chatJid = await facts.chatOf(work.messageId, work.fromMe)
      if (chatJid === undefined) {
        await facts.failed(messageId, 'message_forgotten')
        return { type: 'done' }
      }
      await handle.askForFile({ ...work, chatJid })
    }
    await outbox.remove(connectionId, messageId)
    return { type: 'done' }
  } catch (error) {
    if (!signal.aborted) log.warn({ connectionId, work: work?.kind, err: error }, 'side work failed')
    return { type: 'sideWorkFailed', message }
  }
}

const answersOf = (deps: SenderDeps, making: Preparations): Answers => {
  const { connectionId, outbox, facts, log } = deps
  return {
    async look({ except, withoutDeferred, numberSince }) {
      const selection = { except: [...making.contacts(), ...except], withoutDeferred, numberSince }
      return { type: 'found', message: await outbox.first(connectionId, selection) }
    },
    askPartner: async ({ message, since }) => ({
      type: 'partnerKnown',
      hasPartner: await facts.hasPartner(message.toJid, since),
    }),
    async defer({ contactId }) {
      await outbox.defer(connectionId, contactId, true)
      return { type: 'done' }
    },
    releaseDeferred: async ({ contactId }) => ({
      type: 'deferredReleased',
      changed: await outbox.defer(connectionId, contactId, false),
    }),
    async findOriginal({ messageId }) {
      const original = await outbox.find(connectionId, messageId)
      return { type: 'originalFound', hasFailed: original?.state === 'failed' }
    },
    lookUpNumber: ({ message, error }, line) =>
      correlated(message.correlationId, async (): Promise<SenderInput> => {
        const isNobodys = await hasNoAccount(deps, line, message)
        if (!isNobodys && !line.signal.aborted)
          log.warn({ connectionId, messageId: message.messageId, err: error }, 'message not sent')
        return { type: 'numberLookedUp', hasNoAccount: isNobodys }
      }),
    countAttempt: async ({ messageId }) => ({
      type: 'counted',
      attempts: await outbox.countAttempt(connectionId, messageId),
    }),
    runSideWork: ({ message }, line) => runSideWork(deps, line, message),
    async recordDispatched({ messageId }) {
      await facts.dispatched(messageId)
      return { type: 'done' }
    },
    async recordFailed({ messageId, code }) {
      await facts.failed(messageId, code)
      return { type: 'done' }
    },
  }
}

const settleLate = ({ connectionId, facts, log }: SenderDeps, { messageId, error }: EffectOf<'settleLate'>) => {
  const settled = error === undefined ? facts.dispatched(messageId) : facts.failed(messageId, error)
  settled.catch((failure) => log.error({ connectionId, err: failure }, 'fact not recorded'))
}

/** `close` runs in the same tick as the abort. */
const untilAborted = (signal: AbortSignal, close: () => void) =>
  new Promise<void>((resolve) => {
    const end = () => {
      close()
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })

export const sender = (deps: SenderDeps): Sender => {
  const { connectionId, clock, timings, log } = deps
  const now = () => Date.parse(clock.now())
  let state = senderMachine(timings, now())
  let line: OpenLine | undefined
  let timer: NodeJS.Timeout | undefined

  // In Baileys' async context its transactions would include ours.
  const report = AsyncResource.bind((input: SenderInput) => {
    const step = senderStep(state, input, { now: now(), random: Math.random(), timings })
    state = step.state
    for (const effect of step.effects) perform(effect)
  })
  const wake = () => report({ type: 'woken' })
  const making = preparations({ ...deps, maxAttempts, onEnd: wake })
  const answers = answersOf(deps, making)

  /** The outcome counts only while the same line is open. */
  const ask = (effect: Question, open: OpenLine) => {
    if (effect.type === 'look') clearTimeout(timer)
    const answer = answers[effect.type] as (effect: Question, open: OpenLine) => Promise<SenderInput>
    const settled = answer(effect, open)
      .catch((error): SenderInput => {
        if (!open.signal.aborted) log.warn({ connectionId, err: error }, 'outbox unreachable, will retry')
        return { type: 'failed' }
      })
      .then((input) => {
        open.pending.delete(settled)
        if (line === open) report(input)
      })
    open.pending.add(settled)
  }

  const send = ({ message, asksDevices, sending }: EffectOf<'send'>, open: OpenLine) => {
    const reportOf = (input: SenderInput) => line === open && report(input)
    correlated(message.correlationId, () => open.handle.send(message, { asksDevices })).then(
      () => reportOf({ type: 'sent', sending }),
      (error) => reportOf({ type: 'notSent', sending, error }),
    )
  }

  const wait = (ms: number) => {
    clearTimeout(timer)
    if (ms > 0) timer = setTimeout(() => report({ type: 'waited' }), ms)
  }

  const perform = (effect: SenderEffect) => {
    if (effect.type === 'settleLate') settleLate(deps, effect)
    else if (!line) return
    else if (effect.type === 'wait') wait(effect.ms)
    else if (effect.type === 'send') send(effect, line)
    else if (effect.type === 'prepare') making.start(effect.message, line.handle, line.signal)
    else ask(effect, line)
  }

  return {
    wake,
    lineBroke: () => report({ type: 'lineBroke' }),
    acknowledged: (messageId, error) => report({ type: 'acknowledged', messageId, error }),
    proven: (messageId) => report({ type: 'proven', messageId }),
    async run(handle, signal, change) {
      if (signal.aborted) return
      const open: OpenLine = { handle, signal, pending: new Set() }
      line = open
      report({ type: 'lineOpened', change })
      await untilAborted(signal, () => {
        if (line !== open) return
        line = undefined
        clearTimeout(timer)
        report({ type: 'lineClosed' })
      })
      await Promise.all(open.pending)
    },
  }
}
