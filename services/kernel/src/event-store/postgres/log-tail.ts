import { backOff } from '../../async/reachability.ts'
import { categoryOf } from '../category.ts'
import { keptRows } from './kept-rows.ts'
import type { EventRow } from './queries.ts'

const pageSize = 2000
const pollMs = 1000
/** Followers of other categories are notified so much later: a few dozen of them need not wake for every message. */
const passingMs = 20

export interface LogTail {
  /** The place up to which the tail has read. */
  head(): number
  /** The rows after a place; undefined where the tail does not reach that far back. */
  after(place: number): readonly EventRow[] | undefined
  /** Whether every row after a place is held here, and none is of this stream. */
  isUnchanged(stream: string, since: number): boolean
  /** Begins to follow the log; resolves once the tail knows where it ends. Harmless to repeat. */
  follow(signal: AbortSignal): Promise<void>
  /** Notifies the tail that there may be newer rows, or that the log reaches at least this place. */
  wake(upTo?: number): void
  /** Hands in rows that this process has committed: those that follow on what was read need not be read. */
  committed(rows: readonly EventRow[]): void
  /**
   * Resolves when the tail has passed `place`, or when it is looked up after the signal aborted; a moment later where nothing of these
   * categories came.
   */
  passed(place: number, categories: ReadonlySet<string>, signal: AbortSignal): Promise<void>
  /** Has everybody who waits look whether the wait is over: for whoever aborts a signal. Listening to it at each wait is dear. */
  lookUp(): void
}

/**
 * The newest rows of the log, read once for all live subscribers of this process: each picks its own out of memory, and one
 * that falls behind goes back to the table. Reads when woken, and once a second in case a wake-up was lost; what this process
 * appends itself is not read at all where nobody else wrote in between.
 */
export const logTail = (
  { readHead, readTail }: { readHead(): Promise<number>; readTail(after: number, limit: number): Promise<EventRow[]> },
  closed: AbortSignal,
  onTrouble: (error: unknown) => void,
): LogTail => {
  const kept = keptRows()
  let stale = false
  let knowsHead = false
  let wakeUp: (() => void) | undefined
  let started: Promise<void> | undefined
  const watchers = new Map<() => void, ReadonlySet<string>>()
  let passing: ReturnType<typeof setTimeout> | undefined

  const take = (newer: readonly EventRow[]) => {
    kept.add(newer)
    const found = [...new Set(newer.map(([, stream]) => categoryOf(stream)))]
    for (const [notice, wanted] of [...watchers]) if (found.some((category) => wanted.has(category))) notice()
    if (watchers.size > 0 && passing === undefined) passing = setTimeout(notifyPassed, passingMs)
  }

  const lookUp = () => {
    for (const notice of [...watchers.keys()]) notice()
  }
  const notifyPassed = () => {
    passing = undefined
    lookUp()
  }

  const catchUp = async () => {
    for (let newer = await readTail(kept.head(), pageSize); newer.length > 0; ) {
      take(newer)
      newer = newer.length === pageSize ? await readTail(kept.head(), pageSize) : []
    }
  }

  const woken = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => wake(), pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        wakeUp = undefined
        resolve()
      }
      if (stale || closed.aborted) wakeUp()
    })

  const wake = (upTo = Number.POSITIVE_INFINITY) => {
    if (upTo <= kept.head()) return
    stale = true
    wakeUp?.()
  }

  const run = async () => {
    let failures = 0
    while (!closed.aborted) {
      stale = false
      try {
        await catchUp()
        failures = 0
      } catch (error) {
        if (!closed.aborted) onTrouble(error)
        await backOff(failures++, closed)
        continue
      }
      await woken()
    }
  }

  const start = async () => {
    kept.beginAfter(await readHead())
    knowsHead = true
    closed.addEventListener('abort', () => wake())
    void run()
  }

  return {
    head: kept.head,
    after: kept.after,
    isUnchanged: (stream, since) => knowsHead && kept.isUnchanged(stream, since),
    follow: async (signal) => {
      for (let attempt = 0; !signal.aborted; attempt++) {
        try {
          started ??= start()
          return await started
        } catch (error) {
          started = undefined
          if (!signal.aborted) onTrouble(error)
          await backOff(attempt, signal)
        }
      }
    },
    wake,
    committed: (newer) => {
      const [first] = newer
      const last = newer.at(-1)
      if (!first || !last) return
      if (knowsHead && Number(first[0]) <= kept.head() + 1) take(newer)
      wake(Number(last[0]))
    },
    passed: (place, categories, signal) =>
      new Promise((resolve) => {
        const notice = () => {
          if (kept.head() <= place && !signal.aborted) return
          watchers.delete(notice)
          resolve()
        }
        watchers.set(notice, categories)
        notice()
      }),
    lookUp,
  }
}
