import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Minimum interval between refetches of a query for pushes, in ms. */
export const readingEveryMs = 750

interface Readings {
  beganMs: number
  isRunning: boolean
  /** Something changed since the latest refetch began. */
  isDue: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

const clients = new WeakMap<QueryClient, Map<string, Readings>>()

const readingsOf = (client: QueryClient, name: string): Readings => {
  const all = clients.get(client) ?? new Map<string, Readings>()
  clients.set(client, all)
  const known = all.get(name) ?? { beganMs: Number.NEGATIVE_INFINITY, isRunning: false, isDue: false, timer: undefined }
  all.set(name, known)
  return known
}

/** Merges requests during a refetch, or soon after it began, into one more: the last change is always read. */
export const readAgain = (client: QueryClient, queryKey: QueryKey): void => {
  const name = JSON.stringify(queryKey)
  const readings = readingsOf(client, name)
  readings.isDue = true
  const next = () => {
    if (readings.isRunning || readings.timer !== undefined) return
    const pauseMs = readings.beganMs + readingEveryMs - performance.now()
    if (pauseMs > 0) {
      readings.timer = setTimeout(() => {
        readings.timer = undefined
        next()
      }, pauseMs)
      return
    }
    if (!readings.isDue) {
      clients.get(client)?.delete(name)
      return
    }
    readings.isDue = false
    readings.isRunning = true
    readings.beganMs = performance.now()
    // The query shows the failure; the next poll retries.
    void client.invalidateQueries({ queryKey }).finally(() => {
      readings.isRunning = false
      next()
    })
  }
  next()
}
