import type { Turns } from './turns.ts'

const sliceMs = 10
const budgetMs = 10_000

/** Long work calls `if (slice.isDue()) await slice.turn()`, and stores nothing before its end: any turn may be the last. */
export interface TimeSlice {
  isDue(): boolean
  /** Rejects when the budget is used up or the signal aborted. */
  turn(): Promise<void>
}

export interface SliceOptions {
  turns: Turns
  whose: string
  signal: AbortSignal
  tooLong: () => Error
  stopwatch?: () => number
}

/** The budget excludes the wait for turns. */
export const timeSlice = ({
  turns,
  whose,
  signal,
  tooLong,
  stopwatch = () => performance.now(),
}: SliceOptions): TimeSlice => {
  let began = stopwatch()
  let usedMs = 0
  return {
    isDue: () => signal.aborted || stopwatch() - began >= sliceMs,
    async turn() {
      usedMs += stopwatch() - began
      began = stopwatch()
      if (usedMs >= budgetMs) throw tooLong()
      await turns.next(whose, signal)
      began = stopwatch()
    },
  }
}
