export interface ConcurrencyOptions {
  atOnce: number
  /** The queue is unlimited by default; work beyond it, or that waits longer, fails with `refusal`. */
  waiting?: { max: number; ms: number; refusal: () => Error }
}

/** First come, first served. */
export interface ConcurrencyLimit {
  run<T>(work: () => Promise<T>): Promise<T>
  running(): number
  waiting(): number
}

export const concurrencyLimit = ({ atOnce, waiting }: ConcurrencyOptions): ConcurrencyLimit => {
  const queue = new Set<() => void>()
  let running = 0

  const slot = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(giveUp)
        resolve()
      }
      const leave = ({ refusal }: { refusal: () => Error }) => {
        queue.delete(begin)
        reject(refusal())
      }
      const giveUp = waiting && setTimeout(leave, waiting.ms, waiting)
      queue.add(begin)
    })

  return {
    async run(work) {
      if (running < atOnce) running += 1
      else if (waiting && queue.size >= waiting.max) throw waiting.refusal()
      // A finished run hands its slot on: no later caller overtakes.
      else await slot()
      try {
        return await work()
      } finally {
        const [next] = queue
        if (next) {
          queue.delete(next)
          next()
        } else running -= 1
      }
    },
    running: () => running,
    waiting: () => queue.size,
  }
}
