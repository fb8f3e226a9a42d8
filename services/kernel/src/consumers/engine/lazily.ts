import { serialQueue } from '../../async/keyed-queue.ts'

export interface Lazily {
  /** Does the work a moment later, unless that is about to happen already. */
  soon(): void
  /** Calls off what has not begun and waits for what has: afterwards nothing of it is going on. */
  idle(): Promise<void>
}

/** Work that may wait a moment and then serves all who asked meanwhile. */
export const lazily = (ms: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Lazily => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const inTurn = serialQueue()
  let running: Promise<void> = Promise.resolve()
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        running = inTurn(work).catch(onFailure)
      }, ms)
    },
    idle() {
      clearTimeout(timer)
      timer = undefined
      return running
    },
  }
}
