import { pause } from '../../async/pause.ts'
import { reconnectPauseMs } from '../../async/reachability.ts'
import { retry } from '../../async/retry.ts'
import { startOnce } from '../../async/start-once.ts'
import { categoryOf } from '../category.ts'
import { tailWatchers } from '../tail-watchers.ts'
import type { Client } from './client.ts'
import { eventCache } from './event-cache.ts'
import { GoneSilent, isTooSlow, isUnreachable, NoAnswer } from './failures.ts'
import { readHead, type SubscriptionItem, subscribe } from './reads.ts'
import type { CachedEvent } from './received.ts'

export interface LogTail {
  head(): bigint
  /** Undefined where the tail does not reach back. */
  after(numericPosition: bigint): readonly CachedEvent[] | undefined
  /** False while the subscription is interrupted or catches up. */
  isUnchanged(stream: string, since: bigint): boolean
  /** Counts for `isUnchanged` before it is received. */
  appended(stream: string, numericPosition: bigint): void
  /** Resolves once the tail knows the head. Idempotent. */
  follow(signal: AbortSignal): Promise<void>
  /** Resolves past `numericPosition`, or on `lookUp` after an abort; later for other categories. Rejects when the log cannot be followed. */
  passed(numericPosition: bigint, categories: ReadonlySet<string>, signal: AbortSignal): Promise<void>
  /** For aborted signals: a listener per wait is expensive. */
  lookUp(): void
}

/** Until the signal aborts; rejects where trying again cannot help. */
const listenAgain = async (
  listen: () => Promise<void>,
  head: () => bigint,
  closed: AbortSignal,
  onTrouble: (error: unknown) => void,
) => {
  let failures = 0
  while (!closed.aborted) {
    const began = head()
    try {
      await listen()
    } catch (error) {
      if (head() !== began) failures = 0
      if (!isUnreachable(error)) throw error
      if (!isTooSlow(error) && !closed.aborted) onTrouble(error)
      await pause(reconnectPauseMs(failures++), closed)
    }
  }
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
  const cache = eventCache()
  let failure: Error | undefined
  let isCurrent = false
  const watchers = tailWatchers()

  const add = (received: readonly SubscriptionItem[]) => {
    const events = received.flatMap((each) => ('event' in each && each.event) || [])
    if (cache.add(events)) watchers.notify(new Set(events.map(({ streamId }) => categoryOf(streamId))))
  }

  const listen = async () => {
    const now = await readHead(client, silenceMs)
    if (now < cache.head())
      throw new Error(`this log ends at ${now}, before ${cache.head()}, which was read from it: is it another one?`)
    const chunks = subscribe(client, cache.head(), {
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
        isCurrent ||= received.some((each) => 'caughtUp' in each)
      }
    } catch (error) {
      if (!(error instanceof GoneSilent)) throw error
    } finally {
      isCurrent = false
      chunks.stop()
    }
  }

  const { started, reset } = startOnce(async () => {
    cache.beginAfter(await readHead(client, silenceMs))
    failure = undefined
    listenAgain(listen, cache.head, closed, onTrouble).catch((error: unknown) => {
      reset()
      failure = error instanceof Error ? error : new Error('the log cannot be followed', { cause: error })
      onTrouble(failure)
      watchers.notifyAll()
    })
  })

  return {
    head: cache.head,
    after: cache.after,
    isUnchanged: (stream, since) => isCurrent && cache.isUnchanged(stream, since),
    appended: cache.expect,
    follow: async (signal) => {
      await retry(started, {
        signal,
        pauseAfter: (failures, error) => (isUnreachable(error) ? reconnectPauseMs(failures) : undefined),
        onFailure: (error) => {
          if (isUnreachable(error)) onTrouble(error)
        },
      })
    },
    passed: async (numericPosition, categories, signal) => {
      await watchers.wait(categories, () => cache.head() > numericPosition || signal.aborted || failure !== undefined)
      if (failure && !signal.aborted) throw failure
    },
    lookUp: watchers.notifyAll,
  }
}
