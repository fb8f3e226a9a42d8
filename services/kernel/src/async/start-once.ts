export interface StartOnce {
  /** Starts unless it has started; concurrent callers share one attempt. Rejects as `start` does, and the next call tries again. */
  started(): Promise<void>
  /** The next call starts again. */
  reset(): void
}

export const startOnce = (start: () => Promise<void>): StartOnce => {
  let starting: Promise<void> | undefined
  return {
    async started() {
      starting ??= start()
      try {
        await starting
      } catch (error) {
        starting = undefined
        throw error
      }
    },
    reset() {
      starting = undefined
    },
  }
}
