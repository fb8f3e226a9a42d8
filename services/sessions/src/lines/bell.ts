/** Lets somebody wait until there is news, which may also come before anybody waits. */
export interface Bell {
  ring(): void
  /** Resolves at once when it rang since the last time, else when it rings, after so long, or when the signal aborts. */
  heard(atMostMilliseconds: number, signal: AbortSignal): Promise<void>
}

export const bell = (): Bell => {
  let hasRung = false
  let rouse: () => void = () => undefined
  return {
    ring() {
      hasRung = true
      rouse()
    },
    async heard(atMostMilliseconds, signal) {
      if (!hasRung && !signal.aborted)
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer)
            // Not AbortSignal.any: Node 20 keeps something of each for as long as the signal lives, which is as long as the process.
            signal.removeEventListener('abort', wake)
            resolve()
          }
          const timer = setTimeout(wake, atMostMilliseconds)
          rouse = wake
          signal.addEventListener('abort', wake)
        })
      hasRung = false
    },
  }
}
