export interface WakeSignal {
  wake(): void
  /** Resolves at once if there was a wake-up since the last wait. */
  wait(maxMs: number, signal: AbortSignal): Promise<void>
}

export const wakeSignal = (): WakeSignal => {
  let isAwake = false
  let rouse: () => void = () => undefined
  return {
    wake() {
      isAwake = true
      rouse()
    },
    async wait(maxMs, signal) {
      if (!isAwake && !signal.aborted)
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer)
            // Not AbortSignal.any: Node 20 leaks memory per call until the signal ends.
            signal.removeEventListener('abort', end)
            resolve()
          }
          const timer = setTimeout(end, maxMs)
          rouse = end
          signal.addEventListener('abort', end)
        })
      isAwake = false
    },
  }
}
