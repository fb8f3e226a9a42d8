const waiting = new Set<() => void>()
let isReachable = true

/** Whether the live line says that the server can be reached. When it can again, what pauses before it is repeated goes on at once. */
export const noteServerReach = (reachable: boolean): void => {
  const isBack = reachable && !isReachable
  isReachable = reachable
  if (isBack) for (const go of [...waiting]) go()
}

/** True also where there is no line. */
export const isServerReachable = (): boolean => isReachable

/** Resolves after this time, or as soon as the server is back. */
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
