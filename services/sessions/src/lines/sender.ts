import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@prosa/kernel/log'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { LineHandle } from '../gateway.ts'
import type { Outbox, QueuedMessage } from '../outbox/outbox.ts'
import type { SessionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'

/** So many attempts on an open line without any answer, and the message is given up: it must not hold up all that follow. */
const mostAttempts = 5

export interface Sender {
  /** Empties the outbox in order while the line is open, until the signal aborts. */
  run(handle: LineHandle, signal: AbortSignal): Promise<void>
  /** There may be something to send. */
  wake(): void
  /** The server's answer to a message; `error` is its code when it refused. */
  acknowledged(messageId: string, error: string | undefined): void
  /** A receipt, which proves that the server took the message. */
  proven(messageId: string): void
}

export interface SenderDeps {
  connectionId: string
  outbox: Outbox
  facts: LineFacts
  timings: SessionTimings
  log: Logger
}

type Answer = { taken: true } | { taken: false; error: string }

/** One message at a time, so that the contact reads them in the order in which they were written. */
export const sender = ({ connectionId, outbox, facts, timings, log }: SenderDeps): Sender => {
  const inFlight = new Map<string, (answer: Answer) => void>()
  let news = false
  let onNews: (() => void) | undefined

  const wake = () => {
    news = true
    onNews?.()
  }

  const somethingNew = async (signal: AbortSignal) => {
    if (news || signal.aborted) return
    await new Promise<void>((resolve) => {
      onNews = () => {
        onNews = undefined
        signal.removeEventListener('abort', resolveNow)
        resolve()
      }
      const resolveNow = () => onNews?.()
      signal.addEventListener('abort', resolveNow)
    })
  }

  const troubled = (error: unknown) => log.error({ connectionId, err: error }, 'fact not recorded')
  const settle = (messageId: string, { taken, ...refusal }: Answer) =>
    taken ? facts.dispatched(messageId) : facts.failed(messageId, 'error' in refusal ? refusal.error : 'refused')

  /** undefined when no answer came in time; rejects when the message cannot be sent or the line is down. */
  const sendOnce = async (
    { messageId, toJid, text }: QueuedMessage & { text: string },
    handle: LineHandle,
    signal: AbortSignal,
  ): Promise<Answer | undefined> => {
    const over = new AbortController()
    const { signal: down } = over
    const end = () => over.abort(signal.reason)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const closed = once(down, 'abort').then(() => Promise.reject(new Error('the line is down')))
    closed.catch(() => undefined)
    const answered = new Promise<Answer>((resolve) => inFlight.set(messageId, resolve))
    try {
      await Promise.race([handle.send({ messageId, toJid, text }), answered, closed])
      // Patience begins once the message is on its way: before that it may wait its turn for as long as it takes.
      const patience = delay(timings.acknowledgement, undefined, { signal: down })
      return (await Promise.race([answered, patience])) ?? undefined
    } finally {
      inFlight.delete(messageId)
      signal.removeEventListener('abort', end)
      over.abort()
    }
  }

  const attempt = async (message: QueuedMessage, handle: LineHandle, signal: AbortSignal) => {
    const { messageId, text } = message
    if (text === null) return facts.failed(messageId, 'text_forgotten')
    let code = 'no_acknowledgement'
    try {
      const answer = await sendOnce({ ...message, text }, handle, signal)
      if (answer) return await settle(messageId, answer)
    } catch (error) {
      if (signal.aborted) return
      code = 'not_sendable'
      log.warn({ connectionId, messageId, err: error }, 'message not sent')
      await delay(timings.firstBackoff, undefined, { signal }).catch(() => undefined)
    }
    if (signal.aborted) return
    if ((await outbox.countAttempt(connectionId, messageId)) >= mostAttempts) await facts.failed(messageId, code)
  }

  return {
    wake,
    acknowledged(messageId, error) {
      const answer: Answer = error === undefined ? { taken: true } : { taken: false, error }
      const waiting = inFlight.get(messageId)
      if (waiting) waiting(answer)
      else settle(messageId, answer).catch(troubled)
    },
    proven(messageId) {
      inFlight.get(messageId)?.({ taken: true })
    },
    async run(handle, signal) {
      while (!signal.aborted) {
        news = false
        try {
          const message = await outbox.first(connectionId)
          if (message) await correlated(message.correlationId, () => attempt(message, handle, signal))
          else await somethingNew(signal)
        } catch (error) {
          if (signal.aborted) return
          log.warn({ connectionId, err: error }, 'outbox out of reach, will try again')
          await delay(timings.firstBackoff, undefined, { signal }).catch(() => undefined)
        }
      }
    },
  }
}
