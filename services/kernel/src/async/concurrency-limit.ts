import { fairQueue } from './fair-queue.ts'

export interface ConcurrencyOptions {
  atOnce: number
  /** Of one key, e.g. a tenant; `atOnce` by default. */
  atOncePerKey?: number
  /**
   * The queue is unlimited by default; work beyond it, or that waits longer, fails with `refusal`. A key that has nothing in a full queue
   * takes the last place of the key with the longest queue.
   */
  waiting?: { max: number; ms: number; refusal: () => Error }
}

interface RunOptions {
  key?: string
  /** Ends the wait, not the work. */
  signal?: AbortSignal
}

/** First come, first served; the next of each key before any second of one. */
export interface ConcurrencyLimit {
  run<T>(work: () => Promise<T>, options?: RunOptions): Promise<T>
  running(): number
  waiting(): number
  waitingOf(key: string): number
}

interface Waiting {
  begin(): void
  leave(): void
}

export const concurrencyLimit = ({ atOnce, atOncePerKey = atOnce, waiting }: ConcurrencyOptions): ConcurrencyLimit => {
  const queue = fairQueue<Waiting>()
  const runningOf = new Map<string, number>()
  let running = 0

  const mayRun = (key: string) => running < atOnce && (runningOf.get(key) ?? 0) < atOncePerKey
  const count = (key: string, by: 1 | -1) => {
    running += by
    const ofKey = (runningOf.get(key) ?? 0) + by
    if (ofKey === 0) runningOf.delete(key)
    else runningOf.set(key, ofKey)
  }

  const makeRoom = (key: string) => {
    if (!waiting || queue.size() < waiting.max) return
    if (queue.sizeOf(key) === 0) queue.crowding()?.leave()
    if (queue.size() >= waiting.max) throw waiting.refusal()
  }

  const slot = (key: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const leave = () => {
        queue.remove(key, item)
        settle()
        reject(signal?.aborted ? signal.reason : waiting?.refusal())
      }
      const begin = () => {
        settle()
        count(key, 1)
        resolve()
      }
      const item = { begin, leave }
      const timer = waiting && setTimeout(leave, waiting.ms)
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(key, item)
    })

  /** Called as work ends: no later caller overtakes. */
  const serve = () => {
    while (running < atOnce) {
      const next = queue.take(mayRun)
      if (!next) return
      next.begin()
    }
  }

  return {
    async run(work, { key = '', signal } = {}) {
      signal?.throwIfAborted()
      if (mayRun(key)) count(key, 1)
      else {
        makeRoom(key)
        await slot(key, signal)
      }
      try {
        return await work()
      } finally {
        count(key, -1)
        serve()
      }
    },
    running: () => running,
    waiting: () => queue.size(),
    waitingOf: queue.sizeOf,
  }
}
