import type { Position } from '../../event-store/port.ts'

/** Checkpoint of a consumer that finishes events out of order. */
export interface Progress {
  /** `begin` in log order; call the result when done. */
  begin(position: Position): () => void
  pass(upTo: Position): void
  /** Everything up to here is finished. */
  reached(): Position
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
