const waiting = new Set<() => void>()
let isReachable = true

/** From the socket. Paused retries run at once when the server is back. */
export const noteServerReach = (reachable: boolean): void => {
  const isBack = reachable && !isReachable
  isReachable = reachable
  if (isBack) for (const go of [...waiting]) go()
}

/** True also without a socket. */
export const isServerReachable = (): boolean => isReachable

export const pauseUntilServerBack = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      waiting.delete(go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    waiting.add(go)
  })
