export interface ConcurrencyOptions {
  /** How much is under way at the same time. */
  atOnce: number
  /** What may wait beside it; as much as comes unless given. Who comes beyond, or waits longer than this, fails with `refusal`. */
  waiting?: { max: number; ms: number; refusal: () => Error }
}

/** Has at most so much work under way; the rest waits in the order of its coming. Each piece settles as it does by itself. */
export interface ConcurrencyLimit {
  run<T>(work: () => Promise<T>): Promise<T>
  running(): number
  waiting(): number
}

export const concurrencyLimit = ({ atOnce, waiting }: ConcurrencyOptions): ConcurrencyLimit => {
  const queue = new Set<() => void>()
  let running = 0

  const turn = () =>
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
      // Whoever ends hands its place on, so that nobody who comes later gets in between.
      else await turn()
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
