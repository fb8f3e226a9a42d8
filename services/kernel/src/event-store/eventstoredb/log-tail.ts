import { backOff } from '../../async/reachability.ts'
import type { Client } from './client.ts'
import { GoneSilent, isTooSlow, isUnreachable, NoAnswer } from './failures.ts'
import { keptEvents } from './kept-events.ts'
import { readHead, type SubscriptionItem, subscribe } from './reads.ts'
import type { KeptEvent } from './received.ts'

export interface LogTail {
  /** The place up to which the tail has read. */
  head(): bigint
  /** The events after a place; undefined where the tail does not reach that far back. */
  after(place: bigint): readonly KeptEvent[] | undefined
  /** Begins to follow the log; resolves once the tail knows where it ends. Harmless to repeat. */
  follow(signal: AbortSignal): Promise<void>
  /** Resolves when the tail has passed `place`, or when the signal aborts; rejects when the log can be followed no more. */
  passed(place: bigint, signal: AbortSignal): Promise<void>
}

/**
 * The newest events of the log, read once for all live subscribers of this process: each picks its own out of memory, and one
 * that falls behind goes back to the server. Reading all, it knows how far the log has got without checkpoints, which a server
 * sends to a live filter after a thousand foreign events only; and nothing here keeps the server waiting, which would drop it.
 * A subscription ends on every disturbance: this one goes on after the last event, and begins anew when it receives nothing for
 * long, in case the server dropped it.
 */
export const logTail = (
  client: Client,
  closed: AbortSignal,
  { silenceMs, onTrouble }: { silenceMs: number; onTrouble: (error: unknown) => void },
): LogTail => {
  const kept = keptEvents()
  let started: Promise<void> | undefined
  let failure: Error | undefined
  const watchers = new Set<() => void>()

  const notify = () => {
    for (const notice of [...watchers]) notice()
  }

  const add = (received: readonly SubscriptionItem[]) => {
    const isForUs = kept.add(received.flatMap((each) => ('event' in each && each.event) || []))
    if (isForUs) notify()
  }

  /** Follows until the subscription ends with an error, or receives nothing for long. */
  const listen = async () => {
    const now = await readHead(client, silenceMs)
    if (now < kept.head())
      throw new Error(`this log ends at ${now}, before ${kept.head()}, which was read from it: is it another one?`)
    const chunks = subscribe(client, kept.head(), {
      limit: Number.POSITIVE_INFINITY,
      gatherMs: 0,
      silenceMs: 3 * silenceMs,
    })
    try {
      for (;;) {
        const received = await chunks.next(closed)
        if (closed.aborted) return
        if (received === undefined) throw new NoAnswer('EventStoreDB ended a subscription')
        add(received)
      }
    } catch (error) {
      if (!(error instanceof GoneSilent)) throw error
    } finally {
      chunks.stop()
    }
  }

  const run = async () => {
    let failures = 0
    while (!closed.aborted) {
      const began = kept.head()
      try {
        await listen()
      } catch (error) {
        if (kept.head() !== began) failures = 0
        if (!isUnreachable(error)) throw error
        if (!isTooSlow(error) && !closed.aborted) onTrouble(error)
        await backOff(failures++, closed)
      }
    }
  }

  const start = async () => {
    kept.beginAfter(await readHead(client, silenceMs))
    failure = undefined
    run().catch((error: unknown) => {
      started = undefined
      failure = error instanceof Error ? error : new Error('the log cannot be followed', { cause: error })
      onTrouble(failure)
      notify()
    })
  }

  return {
    head: kept.head,
    after: kept.after,
    follow: async (signal) => {
      for (let attempt = 0; !signal.aborted; attempt++) {
        try {
          started ??= start()
          return await started
        } catch (error) {
          started = undefined
          if (!isUnreachable(error)) throw error
          if (!signal.aborted) onTrouble(error)
          await backOff(attempt, signal)
        }
      }
    },
    passed: (place, signal) =>
      new Promise((resolve, reject) => {
        const notice = () => {
          if (kept.head() <= place && !signal.aborted && !failure) return
          watchers.delete(notice)
          signal.removeEventListener('abort', notice)
          if (failure && !signal.aborted) reject(failure)
          else resolve()
        }
        watchers.add(notice)
        signal.addEventListener('abort', notice)
        notice()
      }),
  }
}
