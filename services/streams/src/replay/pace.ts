import { pause } from '@prosa/kernel/async/pause'
import type { ReadEvent } from './read-events.ts'

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
