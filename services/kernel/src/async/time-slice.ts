import type { Turns } from './turns.ts'

/** Milliseconds of computing between two turns; and in all, until a computation ends with a refusal. */
const sliceMs = 10
const budgetMs = 10_000

/**
 * Leave to compute for a moment. Long work asks between its pieces, `if (slice.isDue()) await slice.turn()`, and stores nothing before
 * it is done: any turn may be the last.
 */
export interface TimeSlice {
  /** Whether the others are to have their turn now. */
  isDue(): boolean
  /** Resolves with a new slice; rejects where the budget is used up, or nobody wants the outcome any more. */
  turn(): Promise<void>
}

export interface SliceOptions {
  turns: Turns
  whose: string
  /** Ends the work at its next turn, with this signal's reason. */
  signal: AbortSignal
  /** Why it ends when its budget is used up. */
  tooLong: () => Error
  /** In milliseconds, from any moment on. */
  stopwatch?: () => number
}

/** The budget counts what the work takes itself, with what it reads meanwhile; not how long it waits for its turns. */
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
