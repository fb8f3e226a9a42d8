import { backoffMs } from '@prosa/kernel/async/backoff'
import { pause } from '@prosa/kernel/async/pause'
import { FileMissing } from '@prosa/kernel/files/port'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Logger } from '@prosa/kernel/observability/log'
import type { LineHandle } from '../gateway/gateway.ts'
import type { Outbox, QueuedMessage } from '../outbox/outbox.ts'
import type { SessionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'

const maxAtOnce = 2

export interface Preparations {
  /** Concurrent; the next message to the same contact waits for it. */
  start(message: QueuedMessage, handle: LineHandle, signal: AbortSignal): void
  contacts(): string[]
}

interface PreparationDeps {
  connectionId: string
  outbox: Outbox
  facts: LineFacts
  timings: SessionTimings
  log: Logger
  maxAttempts: number
  /** Failed or not. */
  onEnd(): void
}

const failed = async (
  { connectionId, outbox, facts, timings, log, maxAttempts }: PreparationDeps,
  { messageId, work }: QueuedMessage,
  error: unknown,
  signal: AbortSignal,
) => {
  if (error instanceof FileMissing) return facts.failed(messageId, 'media_missing')
  log.warn({ connectionId, messageId, err: error }, 'message not prepared')
  const attempts = await outbox.countAttempt(connectionId, messageId)
  const hasFile = work?.kind === 'message' && 'file' in work.content
  if (attempts >= maxAttempts) return facts.failed(messageId, hasFile ? 'media_not_sent' : 'not_sendable')
  const backoff = {
    firstMs: timings.firstBackoff,
    maxMs: Number.POSITIVE_INFINITY,
    spread: 0,
  }
  await pause(backoffMs(attempts - 1, backoff), signal)
}

const prepare = async (deps: PreparationDeps, message: QueuedMessage, handle: LineHandle, signal: AbortSignal) => {
  const { connectionId, outbox, facts } = deps
  const { messageId, toJid, work } = message
  let rejectClosed: () => void = () => undefined
  const closed = new Promise<never>((_, reject) => {
    rejectClosed = () => reject(new Error('the line is down'))
  })
  closed.catch(() => undefined)
  // Not AbortSignal.any: Node 20 leaks memory for each while the line is open.
  signal.addEventListener('abort', rejectClosed)
  if (signal.aborted) rejectClosed()
  try {
    const quoted = work?.kind === 'message' ? work.content.quoted : undefined
    const quotesOwn = quoted ? await facts.isOwnMessage(toJid, quoted.messageId) : false
    const original = work?.kind === 'edit' ? (await outbox.find(connectionId, work.messageId))?.prepared : undefined
    const prepared = await Promise.race([handle.prepare(message, quotesOwn, original ?? undefined), closed])
    await outbox.savePrepared(connectionId, messageId, prepared)
  } catch (error) {
    if (!signal.aborted) await failed(deps, message, error, signal)
  } finally {
    signal.removeEventListener('abort', rejectClosed)
  }
}

export const preparations = (deps: PreparationDeps): Preparations => {
  const { connectionId, timings, log, onEnd } = deps
  const running = new Set<string>()
  const waiting = new Set<string>()
  /** Needs no capacity. */
  const typing = new Set<string>()
  const shown = new Set<string>()

  const showTyping = async (
    { messageId, toJid }: QueuedMessage,
    seconds: number,
    handle: LineHandle,
    signal: AbortSignal,
  ) => {
    await handle
      .show(toJid, 'typing')
      .catch((error) => log.debug({ connectionId, messageId, err: error }, 'typing not shown'))
    await pause(seconds * timings.typingSecond, signal)
    if (!signal.aborted) shown.add(messageId)
  }

  /** True when it starts with 'typing'; it is then started again afterwards. */
  const startsTyping = (message: QueuedMessage, handle: LineHandle, signal: AbortSignal): boolean => {
    const { contactId, correlationId, messageId, work } = message
    const seconds = work?.kind === 'message' ? (work.typingSeconds ?? 0) : 0
    if (seconds === 0 || shown.delete(messageId)) return false
    typing.add(contactId)
    correlated(correlationId, () => showTyping(message, seconds, handle, signal))
      .catch((error) => log.warn({ connectionId, messageId, err: error }, 'typing not shown'))
      .finally(() => {
        typing.delete(contactId)
        onEnd()
      })
    return true
  }

  return {
    contacts: () => [...running, ...waiting, ...typing],
    start(message, handle, signal) {
      const { contactId, correlationId, messageId } = message
      if (startsTyping(message, handle, signal)) return
      if (running.size >= maxAtOnce) {
        waiting.add(contactId)
        return
      }
      running.add(contactId)
      correlated(correlationId, () => prepare(deps, message, handle, signal))
        .catch((error) => log.warn({ connectionId, messageId, err: error }, 'result of a preparation not stored'))
        .finally(() => {
          running.delete(contactId)
          waiting.clear()
          onEnd()
        })
    },
  }
}
