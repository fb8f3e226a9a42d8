import { setMaxListeners } from 'node:events'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { pause } from '@prosa/kernel/async/pause'
import { OtherWriterRecords, PublishingFailed } from '../publisher/port.ts'
import { type Output, type Reached, reachedWith } from './outputs/output.ts'
import type { Question } from './question.ts'
import { type ReadEvent, readEvents } from './read-events.ts'

export interface Replay {
  question: Question
  key: string
  isLive: boolean
  speed: number | undefined
  openOutput: () => Promise<Output>
  onReached: (reached: Reached | undefined) => void
  /** A sentence about what is tried again. */
  onTrouble: (sentence: string) => void
  /** After failures in a row; by default up to 30 s. */
  pauseMs?: (failures: number) => number
}

export interface Replayed {
  isComplete: boolean
  reached: Reached | undefined
}

/** A broker may be away for so many pauses in a row. */
const maxFailures = 14
/** Where none was ever reached: the address is more likely wrong than away. */
const maxFirstFailures = 3
const usualPause = { firstMs: 500, maxMs: 30_000 }

/** Until all is written, or the signal aborts. Throws `ReplayError`, `ReaderGone`, `PublishingFailed`; what was written stays valid. */
export const replay = async (asked: Replay, signal: AbortSignal): Promise<Replayed> => {
  const { pauseMs = (failures) => backoffMs(failures, usualPause), onTrouble } = asked
  let [failures, furthest, wasOpen] = [0, 0, false]
  for (;;) {
    try {
      return await replayOnce(asked, signal, (reached) => {
        wasOpen = true
        if ((reached?.events ?? 0) > furthest) [failures, furthest] = [0, reached?.events ?? 0]
        asked.onReached(reached)
      })
    } catch (error) {
      const isPassing = error instanceof PublishingFailed && !(error instanceof OtherWriterRecords)
      if (!isPassing || failures >= (wasOpen ? maxFailures : maxFirstFailures) || signal.aborted) throw error
      onTrouble(`${error.message}; tentando de novo`)
      await pause(pauseMs(failures++), signal)
    }
  }
}

const replayOnce = async (
  { question, key, isLive, speed, openOutput, onTrouble, pauseMs }: Replay,
  signal: AbortSignal,
  onReached: (reached: Reached | undefined) => void,
): Promise<Replayed> => {
  const output = await openOutput()
  const ending = new AbortController()
  let reached = output.begun
  let isComplete = false
  try {
    onReached(reached)
    const paced = paceOf(speed)
    const until = AbortSignal.any([signal, ending.signal])
    // Each request listens; Node warns of a leak from the eleventh on.
    setMaxListeners(0, until)
    const reading = { question, key, after: reached?.after, isLive, signal: until, onTrouble, pauseMs }
    for await (const events of readEvents(reading))
      for await (const due of paced(events, until)) {
        if (signal.aborted) break
        await output.write(due)
        reached = reachedWith(reached, due)
        onReached(reached)
      }
    isComplete = !signal.aborted
  } finally {
    ending.abort()
    reached = await output.close(isComplete)
  }
  return { isComplete, reached }
}

/** Splits what was read where an event is due later. At full speed it is passed on as it comes. */
export const paceOf = (speed: number | undefined, now: () => number = () => performance.now(), wait = pause) => {
  let anchor: { at: number; time: number } | undefined
  return async function* (events: ReadEvent[], signal: AbortSignal): AsyncGenerator<ReadEvent[]> {
    if (speed === undefined) {
      yield events
      return
    }
    let due: ReadEvent[] = []
    for (const each of events) {
      const time = Date.parse(each.event.time)
      anchor ??= { at: now(), time }
      const waitMs = anchor.at + (time - anchor.time) / speed - now()
      if (waitMs > 0) {
        if (due.length > 0) yield due
        due = []
        await wait(waitMs, signal)
        if (signal.aborted) return
      }
      due.push(each)
    }
    if (due.length > 0) yield due
  }
}
