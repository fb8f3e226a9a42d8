let offsetMs: number | null = null

export const noteServerTime = (serverTime: string): void => {
  const time = Date.parse(serverTime)
  if (!Number.isNaN(time)) offsetMs = time - performance.now()
}

/** Unix time, continued with the monotonic clock; null before the server sent it. */
export const serverNow = (): number | null => (offsetMs === null ? null : performance.now() + offsetMs)
