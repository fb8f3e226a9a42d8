import { backOff } from '../../async/reachability.ts'
import type { Client } from './client.ts'
import { GoneSilent, isTooSlow, isUnreachable, NoAnswer } from './failures.ts'
import { keptEvents } from './kept-events.ts'
import { readHead, type SubscriptionItem, subscribe } from './reads.ts'
import type { KeptEvent } from './received.ts'

export interface LogTail {
  head(): bigint
  /** Undefined where the tail does not reach back. */
  after(place: bigint): readonly KeptEvent[] | undefined
  /** Resolves once the tail knows the head. Idempotent. */
  follow(signal: AbortSignal): Promise<void>
  /** Resolves past `place` or on abort; rejects when the log cannot be followed. */
  passed(place: bigint, signal: AbortSignal): Promise<void>
}

/**
 * One unfiltered subscription for all live subscribers of the process; slow ones return to the server. Filtered ones get a checkpoint only
 * after a thousand foreign events. It always reads, as the server drops slow readers, and restarts on long silence, in case it was dropped.
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
