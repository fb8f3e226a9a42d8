const everyMs = 10_000

/**
 * Writes the first of what happens, then once in 10 s how often it happened since: every consumer reports one outage, at each retry.
 */
export const fewLines = <T>(write: (latest: T, times: number) => void): ((happened: T) => void) => {
  let unwritten = 0
  let waiting: NodeJS.Timeout | undefined
  return (happened) => {
    unwritten++
    if (waiting) return
    write(happened, unwritten)
    unwritten = 0
    waiting = setTimeout(() => {
      waiting = undefined
    }, everyMs)
    waiting.unref()
  }
}
