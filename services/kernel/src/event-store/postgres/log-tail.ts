import { pause } from '../../async/pause.ts'
import { reconnectPauseMs } from '../../async/reachability.ts'
import { retry } from '../../async/retry.ts'
import { startOnce } from '../../async/start-once.ts'
import { categoryOf } from '../category.ts'
import { tailWatchers } from '../tail-watchers.ts'
import type { EventRow } from './queries.ts'
import { rowCache } from './row-cache.ts'

const pageSize = 2000
const pollMs = 1000

export interface LogTail {
  head(): number
  /** Undefined where the tail does not reach back. */
  after(numericPosition: number): readonly EventRow[] | undefined
  isUnchanged(stream: string, since: number): boolean
  /** Resolves once the tail knows the head. Idempotent. */
  follow(signal: AbortSignal): Promise<void>
  /** The log reaches at least `upTo`. */
  wake(upTo?: number): void
  /** Avoids reading own rows back. */
  committed(rows: readonly EventRow[]): void
  /** Resolves past `numericPosition`, or on `lookUp` after an abort; later for other categories. */
  passed(numericPosition: number, categories: ReadonlySet<string>, signal: AbortSignal): Promise<void>
  /** For aborted signals: a listener per wait is expensive. */
  lookUp(): void
}

/** Many calls wake once; without one, `pollMs` does. */
const wakeSignal = (closed: AbortSignal) => {
  let isDue = false
  let wakeUp: (() => void) | undefined
  const wake = () => {
    isDue = true
    wakeUp?.()
  }
  return {
    wake,
    clear: () => {
      isDue = false
    },
    woken: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(wake, pollMs)
        wakeUp = () => {
          clearTimeout(timer)
          wakeUp = undefined
          resolve()
        }
        if (isDue || closed.aborted) wakeUp()
      }),
  }
}

/**
 * One reader for all live subscribers of the process; slow ones return to the table. Polls each second in case a wake-up signal was lost.
 */
export const logTail = (
  { readHead, readTail }: { readHead(): Promise<number>; readTail(after: number, limit: number): Promise<EventRow[]> },
  closed: AbortSignal,
  onTrouble: (error: unknown) => void,
): LogTail => {
  const cache = rowCache()
  let knowsHead = false
  const signal = wakeSignal(closed)
  const watchers = tailWatchers()

  const take = (newer: readonly EventRow[]) => {
    cache.add(newer)
    watchers.notify(new Set(newer.map(([, stream]) => categoryOf(stream))))
  }

  const catchUp = async () => {
    for (let newer = await readTail(cache.head(), pageSize); newer.length > 0; ) {
      take(newer)
      newer = newer.length === pageSize ? await readTail(cache.head(), pageSize) : []
    }
  }

  const wake = (upTo = Number.POSITIVE_INFINITY) => {
    if (upTo > cache.head()) signal.wake()
  }

  const run = async () => {
    let failures = 0
    while (!closed.aborted) {
      signal.clear()
      try {
        await catchUp()
        failures = 0
      } catch (error) {
        if (!closed.aborted) onTrouble(error)
        await pause(reconnectPauseMs(failures++), closed)
        continue
      }
      await signal.woken()
    }
  }

  const { started } = startOnce(async () => {
    cache.beginAfter(await readHead())
    knowsHead = true
    closed.addEventListener('abort', () => wake())
    void run()
  })

  return {
    head: cache.head,
    after: cache.after,
    isUnchanged: (stream, since) => knowsHead && cache.isUnchanged(stream, since),
    follow: (aborted) => retry(started, { signal: aborted, pauseAfter: reconnectPauseMs, onFailure: onTrouble }),
    wake,
    committed: (newer) => {
      const [first] = newer
      const last = newer.at(-1)
      if (!first || !last) return
      if (knowsHead && Number(first[0]) <= cache.head() + 1) take(newer)
      wake(Number(last[0]))
    },
    passed: (numericPosition, categories, aborted) =>
      watchers.wait(categories, () => cache.head() > numericPosition || aborted.aborted),
    lookUp: watchers.notifyAll,
  }
}
