import { fairQueue } from './fair-queue.ts'

/** Turns on the one thread that answers everybody: one piece of work for each iteration of the event loop. */
export interface Turns {
  /** Resolves when it is this one's turn; rejects with the signal's reason once that aborts. */
  next(whose: string, signal?: AbortSignal): Promise<void>
}

/**
 * However much waits, and of however many tenants, what else the process has to answer comes between any two pieces, and each tenant
 * gets a turn before another one gets a second. `schedule` calls back in the next iteration.
 */
export const turns = (schedule: (work: () => void) => unknown = setImmediate): Turns => {
  const waiting = fairQueue<() => void>()
  let isScheduled = false

  const serve = () => {
    const begin = waiting.take()
    isScheduled = begin !== undefined
    begin?.()
    if (isScheduled) schedule(serve)
  }

  return {
    next: (whose, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const leave = () => {
          waiting.remove(whose, begin)
          reject(signal?.reason)
        }
        const begin = () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(whose, begin)
        if (isScheduled) return
        isScheduled = true
        schedule(serve)
      }),
  }
}
