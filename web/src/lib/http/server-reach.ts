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

/** Rejects with the signal's reason. */
const pause = (ms: number, isEndedByServer: boolean, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      waiting.delete(end)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    if (isEndedByServer) waiting.add(end)
    signal?.addEventListener('abort', end)
  })

export const pauseFor = (ms: number, signal?: AbortSignal): Promise<void> => pause(ms, false, signal)

export const pauseUntilServerBack = (ms: number, signal?: AbortSignal): Promise<void> => pause(ms, true, signal)
