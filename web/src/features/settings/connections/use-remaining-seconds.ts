import { useEffect, useState } from 'react'
import { serverNow } from '../../../lib/http/server-clock.ts'

const tickMs = 250

const remaining = (deadline: string, serverTime: string): number => {
  const nowMs = serverNow() ?? Date.parse(serverTime)
  return Math.max(0, (Date.parse(deadline) - nowMs) / 1000)
}

/**
 * By the server's clock: `serverTime` is that of the reply with the deadline, and the browser adds the elapsed time. Null without a
 * deadline.
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
