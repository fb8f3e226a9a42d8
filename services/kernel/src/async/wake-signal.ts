/** Lets a loop wait until there is something to do, of which it may be notified before it waits. */
export interface WakeSignal {
  wake(): void
  /** Resolves at once after a wake-up since the last time, else with the next one, after so long, or when the signal aborts. */
  wait(atMostMs: number, signal: AbortSignal): Promise<void>
}

export const wakeSignal = (): WakeSignal => {
  let isAwake = false
  let rouse: () => void = () => undefined
  return {
    wake() {
      isAwake = true
      rouse()
    },
    async wait(atMostMs, signal) {
      if (!isAwake && !signal.aborted)
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer)
            // Not AbortSignal.any: Node 20 keeps something of each for as long as the signal lives, which is as long as the process.
            signal.removeEventListener('abort', end)
            resolve()
          }
          const timer = setTimeout(end, atMostMs)
          rouse = end
          signal.addEventListener('abort', end)
        })
      isAwake = false
    },
  }
}
