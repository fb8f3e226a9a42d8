import { serialQueue } from '../../async/keyed-queue.ts'

export interface Lazily {
  /** An earlier time replaces a later one. */
  within(ms: number): void
  /** Cancels scheduled work and waits for running work. */
  idle(): Promise<void>
}

/** Delayed work that coalesces calls. */
export const lazily = (work: () => Promise<void>, onFailure: (error: unknown) => void): Lazily => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  const serially = serialQueue()
  let running: Promise<void> = Promise.resolve()
  const cancel = () => {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }
  return {
    within(ms) {
      const at = performance.now() + ms
      if (at >= dueAt) return
      cancel()
      dueAt = at
      timer = setTimeout(() => {
        dueAt = Number.POSITIVE_INFINITY
        running = serially(work).catch(onFailure)
      }, ms)
    },
    idle() {
      cancel()
      return running
    },
  }
}
