import type { Position } from '../../event-store/port.ts'

/** How far a consumer has got that finishes its events in another order than that of the log. */
export interface Progress {
  /** An event was taken in hand, in log order; the answer is to be called once it is finished. */
  begin(position: Position): () => void
  /** Everything up to here was handed out. */
  pass(upTo: Position): void
  /** The last position before which nothing is unfinished. */
  reached(): Position
  /** How many events are in hand. */
  unfinished(): number
}

export const progress = (from: Position): Progress => {
  let started: { position: Position; isFinished: boolean }[] = []
  let reached = from
  let unfinished = 0

  const advance = () => {
    let done = 0
    while (started[done]?.isFinished) done++
    const last = started[done - 1]
    if (!last) return
    reached = last.position
    started = started.slice(done)
  }

  return {
    begin(position) {
      const entry = { position, isFinished: false }
      started.push(entry)
      unfinished++
      return () => {
        entry.isFinished = true
        unfinished--
        if (started[0] === entry) advance()
      }
    },
    pass(upTo) {
      started.push({ position: upTo, isFinished: true })
      if (started[0]?.isFinished) advance()
    },
    reached: () => reached,
    unfinished: () => unfinished,
  }
}
