import { Refused } from '@prosa/kernel/http/problem'

export interface HashQueueOptions {
  /** How many run at the same time. */
  atOnce?: number
  /** How many may wait beside them; who comes beyond is refused at once. */
  mayWait?: number
  /** Who waited so long is refused. */
  timeoutMilliseconds?: number
}

/** Lets work of much memory and processor time run a few at a time, in the order in which it came. */
export interface HashQueue {
  /** Refuses with `passwords_busy` instead of letting the queue grow or last. */
  run<T>(work: () => Promise<T>): Promise<T>
  running(): number
  waiting(): number
}

const retryAfterSeconds = 5
const busy = () => new Refused('passwords_busy', undefined, retryAfterSeconds)

/**
 * Argon2 runs on the four threads that Node also reads files and resolves names with: two leave room for those. At some 30 ms
 * each, a hundred wait two seconds or so; 19 MiB of memory each are taken only while they run.
 */
export const hashQueue = ({
  atOnce = 2,
  mayWait = 100,
  timeoutMilliseconds = 10_000,
}: HashQueueOptions = {}): HashQueue => {
  const queue = new Set<() => void>()
  let running = 0

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(giveUp)
        resolve()
      }
      const giveUp = setTimeout(() => {
        queue.delete(begin)
        reject(busy())
      }, timeoutMilliseconds)
      queue.add(begin)
    })

  return {
    async run(work) {
      if (running < atOnce) running += 1
      // Whoever ends hands its place on, so that nobody who comes later gets in between.
      else if (queue.size < mayWait) await turn()
      else throw busy()
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
