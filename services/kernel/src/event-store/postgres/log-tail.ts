import { categoryOf } from '../category.ts'
import { pause } from '../reachability.ts'
import type { EventRow } from './queries.ts'

const pageSize = 2000
const pollMilliseconds = 1000
/** So much later than others hear of news those for whom there is nothing in it: a few dozen need not wake for every message. */
const passingMilliseconds = 20
const maxRows = 4000
const maxCharacters = 8 * 1024 * 1024

export interface LogTail {
  /** The place up to which the tail has read. */
  head(): number
  /** The rows after a place; undefined where the tail does not reach that far back. */
  after(place: number): readonly EventRow[] | undefined
  /** Whether every row after a place is held here, and none is of this stream. */
  isUnchanged(stream: string, since: number): boolean
  /** Begins to follow the log; resolves once the tail knows where it ends. Harmless to repeat. */
  follow(signal: AbortSignal): Promise<void>
  /** Says that there may be something new, or that the log reaches at least this place. */
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
  let rows: EventRow[] = []
  let head = 0
  let characters = 0
  /** The last place of each stream among the rows. */
  let places = new Map<string, number>()
  let stale = false
  let knowsHead = false
  let rouse: (() => void) | undefined
  let started: Promise<void> | undefined
  const watchers = new Map<() => void, ReadonlySet<string>>()
  let passing: ReturnType<typeof setTimeout> | undefined

  const add = (news: readonly EventRow[]) => {
    for (const row of news) {
      const place = Number(row[0])
      // Committed here while it was being read.
      if (place <= head) continue
      // Places are dense, so that a row is found by subtraction. Behind a hole (rows removed by hand) the tail starts anew.
      if (place !== head + 1) {
        rows = []
        characters = 0
        places = new Map()
      }
      rows.push(row)
      places.set(row[1], place)
      characters += size(row)
      head = place
    }
    if (rows.length > 2 * maxRows || characters > 2 * maxCharacters) trim()
  }

  const trim = () => {
    let from = rows.length
    let kept = 0
    while (from > 0 && rows.length - from < maxRows && kept < maxCharacters) kept += size(rows[--from])
    for (const [place, stream] of rows.slice(0, from)) if (places.get(stream) === Number(place)) places.delete(stream)
    rows = rows.slice(from)
    characters = kept
  }

  const take = (news: readonly EventRow[]) => {
    add(news)
    const found = [...new Set(news.map(([, stream]) => categoryOf(stream)))]
    for (const [notice, wanted] of [...watchers]) if (found.some((category) => wanted.has(category))) notice()
    if (watchers.size > 0 && passing === undefined) passing = setTimeout(tellPassed, passingMilliseconds)
  }

  const lookUp = () => {
    for (const notice of [...watchers.keys()]) notice()
  }
  const tellPassed = () => {
    passing = undefined
    lookUp()
  }

  const catchUp = async () => {
    for (let news = await readTail(head, pageSize); news.length > 0; ) {
      take(news)
      news = news.length === pageSize ? await readTail(head, pageSize) : []
    }
  }

  const woken = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => wake(), pollMilliseconds)
      rouse = () => {
        clearTimeout(timer)
        rouse = undefined
        resolve()
      }
      if (stale || closed.aborted) rouse()
    })

  const wake = (upTo = Number.POSITIVE_INFINITY) => {
    if (upTo <= head) return
    stale = true
    rouse?.()
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
        await pause(failures++, closed)
        continue
      }
      await woken()
    }
  }

  const start = async () => {
    head = await readHead()
    knowsHead = true
    closed.addEventListener('abort', () => wake())
    void run()
  }

  return {
    head: () => head,
    after: (place) => {
      if (place >= head) return []
      const from = rows.length - (head - place)
      return from < 0 ? undefined : rows.slice(from)
    },
    isUnchanged: (stream, since) => knowsHead && since >= head - rows.length && (places.get(stream) ?? 0) <= since,
    follow: async (signal) => {
      for (let attempt = 0; !signal.aborted; attempt++) {
        try {
          started ??= start()
          return await started
        } catch (error) {
          started = undefined
          if (!signal.aborted) onTrouble(error)
          await pause(attempt, signal)
        }
      }
    },
    wake,
    committed: (news) => {
      const [first] = news
      const last = news.at(-1)
      if (!first || !last) return
      if (knowsHead && Number(first[0]) <= head + 1) take(news)
      wake(Number(last[0]))
    },
    passed: (place, categories, signal) =>
      new Promise((resolve) => {
        const notice = () => {
          if (head <= place && !signal.aborted) return
          watchers.delete(notice)
          resolve()
        }
        watchers.set(notice, categories)
        notice()
      }),
    lookUp,
  }
}

const size = (row: EventRow | undefined): number => (row ? row[5].length + row[6].length : 0)
