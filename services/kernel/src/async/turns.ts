import { fairQueue } from './fair-queue.ts'

/** One piece of work per iteration of the event loop. */
export interface Turns {
  next(whose: string, signal?: AbortSignal): Promise<void>
}

/** Other work of the process runs between two pieces; each tenant gets a turn before any gets a second. */
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
