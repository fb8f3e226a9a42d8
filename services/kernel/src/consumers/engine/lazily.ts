import { serialQueue } from '../../async/keyed-queue.ts'

export interface Lazily {
  /** Does nothing if already scheduled. */
  soon(): void
  /** Cancels scheduled work and waits for running work. */
  idle(): Promise<void>
}

/** Delayed work that coalesces calls. */
export const lazily = (ms: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Lazily => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const serially = serialQueue()
  let running: Promise<void> = Promise.resolve()
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        running = serially(work).catch(onFailure)
      }, ms)
    },
    idle() {
      clearTimeout(timer)
      timer = undefined
      return running
    },
  }
}
