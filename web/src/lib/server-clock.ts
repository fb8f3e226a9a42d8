let offsetMs: number | null = null

/** Learns the server's clock from a reply or a push that carries it. */
export const noteServerTime = (serverTime: string): void => {
  const time = Date.parse(serverTime)
  if (!Number.isNaN(time)) offsetMs = time - performance.now()
}

/** The server's time in ms since 1970, counted on with the browser's stopwatch; null before the server sent it. */
export const serverNow = (): number | null => (offsetMs === null ? null : performance.now() + offsetMs)
