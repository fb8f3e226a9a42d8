import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@prosa/kernel/clock'
import type { Logger } from '@prosa/kernel/log'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { LineHandle } from '../gateway.ts'
import type { NextMessage, Outbox, QueuedMessage } from '../outbox/outbox.ts'
import { isCorrection, isErrand, isPlain } from '../outbox/outgoing-work.ts'
import { linePace } from '../pacing/line-pace.ts'
import type { SessionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'
import type { NumberChange } from './number-change.ts'
import { preparations } from './preparations.ts'
import { suspects } from './suspects.ts'

/** So many attempts on an open line without any answer, and the message is given up: it must not hold up all that follow. */
const mostAttempts = 5

export interface Sender {
  /** Empties the outbox in order while the line is open, until the signal aborts. What another number left is given up. */
  run(handle: LineHandle, signal: AbortSignal, change: NumberChange | null): Promise<void>
  /** The line was open and is down; told before the signal of `run` aborts. */
  lineBroke(): void
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
  clock: Clock
  timings: SessionTimings
  log: Logger
}

const numberJid = /^(\d+)@s\.whatsapp\.net$/

/** The shorter of two waits, of which 0 is none. */
const soonest = (one: number, other: number) => (one && other ? Math.min(one, other) : one || other)

type Answer = { taken: true } | { taken: false; error: string }

/**
 * One message at a time, so that the contact reads them in the order in which they were written. A file that is being made
 * ready, and a first message whose turn has not come, hold up the messages to their own contact and nobody else's.
 */
export const sender = ({ connectionId, outbox, facts, clock, timings, log }: SenderDeps): Sender => {
  const inFlight = new Map<string, (answer: Answer) => void>()
  const now = () => Date.parse(clock.now())
  const pace = linePace(timings, now)
  const suspected = suspects(timings, now)
  /** Contacts of whose devices the server said that the list is out of date. */
  const outdated = new Set<string>()
  let news = false
  let onNews: (() => void) | undefined

  const wake = () => {
    news = true
    onNews?.()
  }
  const making = preparations({ connectionId, outbox, facts, timings, log, mostAttempts, onEnd: wake })

  /** Waits for news; at most so many milliseconds, when there are any. */
  const somethingNew = async (signal: AbortSignal, atMost: number) => {
    if (news || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = atMost > 0 ? setTimeout(() => onNews?.(), atMost) : undefined
      onNews = () => {
        onNews = undefined
        clearTimeout(timer)
        signal.removeEventListener('abort', resolveNow)
        resolve()
      }
      const resolveNow = () => onNews?.()
      signal.addEventListener('abort', resolveNow)
    })
  }

  const pause = (milliseconds: number, signal: AbortSignal) =>
    delay(milliseconds, undefined, { signal }).catch(() => undefined)

  const troubled = (error: unknown) => log.error({ connectionId, err: error }, 'fact not recorded')
  const settle = (messageId: string, answer: Answer) => {
    if (answer.taken) return facts.dispatched(messageId)
    pace.refused(answer.error)
    return facts.failed(messageId, answer.error)
  }

  /** undefined when no answer came in time; rejects when the message cannot be sent or the line is down. */
  const sendOnce = async (
    message: QueuedMessage,
    handle: LineHandle,
    signal: AbortSignal,
  ): Promise<Answer | undefined> => {
    const { messageId, contactId } = message
    const over = new AbortController()
    const { signal: down } = over
    const end = () => over.abort(signal.reason)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const closed = once(down, 'abort').then(() => Promise.reject(new Error('the line is down')))
    closed.catch(() => undefined)
    const answered = new Promise<Answer>((resolve) => inFlight.set(messageId, resolve))
    try {
      // Baileys says that it has sent when it has stored its keys too, and a line may be down by then.
      suspected.sending(message)
      const sent = handle.send(message, { asksDevices: outdated.delete(contactId) })
      await Promise.race([sent, answered, closed])
      suspected.sending(message)
      // Patience begins once the message is on its way: before that it may wait its turn for as long as it takes.
      const patience = delay(timings.acknowledgement, undefined, { signal: down })
      const answer = await Promise.race([answered, patience])
      if (answer) suspected.answered(messageId)
      else suspected.unanswered()
      return answer ?? undefined
    } finally {
      inFlight.delete(messageId)
      signal.removeEventListener('abort', end)
      over.abort()
    }
  }

  /** Refusals that are about the moment, not about the message: it is tried again. */
  const isPassing = (answer: Answer, { attempts, contactId }: QueuedMessage) => {
    if (answer.taken) return false
    if (answer.error === '479' && attempts === 0) {
      outdated.add(contactId)
      return true
    }
    return answer.error === '429' && attempts + 1 < mostAttempts
  }

  const hasNoAccount = async (handle: LineHandle, toJid: string): Promise<boolean> => {
    const phone = numberJid.exec(toJid)?.[1]
    if (!phone) return false
    try {
      return (await handle.findNumber(phone)) === undefined
    } catch (error) {
      log.warn({ connectionId, err: error }, 'number not looked up')
      return false
    }
  }

  /** Why a correction cannot reach anybody: what it corrects never left, or WhatsApp takes it no more. */
  const correctionFault = async ({ work, attempts }: QueuedMessage): Promise<string | undefined> => {
    // One that may be on its way already is tried to its end.
    if (!isCorrection(work) || attempts > 0) return undefined
    if ((await outbox.find(connectionId, work.messageId))?.state === 'failed') return 'original_not_sent'
    return work.until !== null && clock.now() > work.until ? 'correction_too_late' : undefined
  }

  const attempt = async (message: QueuedMessage, handle: LineHandle, signal: AbortSignal) => {
    const { messageId } = message
    if (!message.work && !message.prepared) return facts.failed(messageId, 'text_forgotten')
    const fault = await correctionFault(message)
    if (fault) return facts.failed(messageId, fault)
    let code = 'no_acknowledgement'
    try {
      const answer = await sendOnce(message, handle, signal)
      if (answer && !isPassing(answer, message)) return await settle(messageId, answer)
      if (answer && !answer.taken) pace.refused(answer.error)
    } catch (error) {
      const isNobodys = !signal.aborted && (await hasNoAccount(handle, message.toJid))
      if (signal.aborted) return
      if (isNobodys) return await facts.failed(messageId, 'number_not_on_whatsapp')
      code = 'not_sendable'
      log.warn({ connectionId, messageId, err: error }, 'message not sent')
      await pause(timings.firstBackoff, signal)
    }
    if (signal.aborted) return
    if ((await outbox.countAttempt(connectionId, messageId)) >= mostAttempts) await facts.failed(messageId, code)
  }

  /** Answers false when its turn has not come: then it is passed over until it has. */
  const isItsTurn = async (
    { contactId, toJid, work, isAcquainted }: NextMessage,
    change: NumberChange | null,
  ): Promise<boolean> => {
    const isFirst = work?.kind === 'message' && !isAcquainted && !(await facts.hasPartner(toJid, change?.at))
    if (isFirst) {
      if (pace.takeFirst()) return true
      await outbox.hold(connectionId, contactId, true)
      return false
    }
    // What was held before the contact wrote goes before what was written after.
    if (pace.waitForFirst() > 0 && (await outbox.hold(connectionId, contactId, false))) return false
    pace.take()
    return true
  }

  /** Something else than a message, which may be told twice: what cannot be told soon is given up. */
  const runErrand = async ({ messageId, attempts, work }: NextMessage, handle: LineHandle, signal: AbortSignal) => {
    try {
      if (work?.kind === 'read')
        for (const [chatJid, ids] of await facts.byChat(work.messageIds)) await handle.markRead(chatJid, ids)
      if (work?.kind === 'reupload') {
        const chatJid = await facts.chatOf(work.messageId, work.fromMe)
        if (chatJid === undefined) return facts.failed(messageId, 'message_forgotten')
        await handle.askForFile({ ...work, chatJid })
      }
      await outbox.remove(connectionId, messageId)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ connectionId, errand: work?.kind, err: error }, 'errand failed')
      if (attempts + 1 >= mostAttempts) return facts.failed(messageId, 'not_sendable')
      await outbox.countAttempt(connectionId, messageId)
      await pause(timings.firstBackoff, signal)
    }
  }

  const giveUp = async ({ messageId }: QueuedMessage) => {
    await facts.failed(messageId, 'line_broken')
    suspected.forget(messageId)
  }

  const step = async (handle: LineHandle, signal: AbortSignal, change: NumberChange | null) => {
    const wait = pace.wait()
    if (wait > 0) return pause(wait, signal)
    news = false
    // Asked once: were it over by the time of the second answer, nobody would wake up for what is held.
    const untilFirst = pace.waitForFirst()
    const resting = suspected.resting()
    const message = await outbox.first(connectionId, {
      except: [...making.contacts(), ...resting.contactIds],
      withoutHeld: untilFirst > 0,
      numberSince: change?.position,
    })
    if (!message) return somethingNew(signal, soonest(untilFirst, resting.wait))
    if (message.isOfEarlierNumber) return facts.failed(message.messageId, 'number_changed')
    if (suspected.isToBlame(message.messageId)) return giveUp(message)
    if (message.work && isErrand(message.work)) return runErrand(message, handle, signal)
    if (message.work && !message.prepared && !isPlain(message.work)) return making.start(message, handle, signal)
    if (await isItsTurn(message, change))
      await correlated(message.correlationId, () => attempt(message, handle, signal))
  }

  return {
    wake,
    lineBroke: suspected.lineBroke,
    acknowledged(messageId, error) {
      const answer: Answer = error === undefined ? { taken: true } : { taken: false, error }
      const waiting = inFlight.get(messageId)
      if (waiting) return waiting(answer)
      suspected.answered(messageId)
      // It is still in line then, and will be tried again.
      if (error === '429' || error === '479') return pace.refused(error)
      settle(messageId, answer).catch(troubled)
    },
    proven(messageId) {
      inFlight.get(messageId)?.({ taken: true })
    },
    async run(handle, signal, change) {
      suspected.lineOpened()
      while (!signal.aborted) {
        try {
          await step(handle, signal, change)
        } catch (error) {
          if (signal.aborted) return
          log.warn({ connectionId, err: error }, 'outbox out of reach, will try again')
          await pause(timings.firstBackoff, signal)
        }
      }
    },
  }
}
