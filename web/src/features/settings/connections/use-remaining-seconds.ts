import { useEffect, useState } from 'react'
import { serverNow } from '../../../lib/server-clock.ts'

const tickMs = 250

const remaining = (deadline: string, serverTime: string): number => {
  const nowMs = serverNow() ?? Date.parse(serverTime)
  return Math.max(0, (Date.parse(deadline) - nowMs) / 1000)
}

/**
 * Seconds until the QR codes end, by the server's clock: the browser only measures how long ago the server spoke.
 * Null while no deadline is known. `serverTime` is the clock of the reply that brought the deadline.
 */
export const useRemainingSeconds = (deadline: string | null, serverTime: string): number | null => {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!deadline) return
    const timer = setInterval(() => tick((count) => count + 1), tickMs)
    return () => clearInterval(timer)
  }, [deadline])
  return deadline ? remaining(deadline, serverTime) : null
}
