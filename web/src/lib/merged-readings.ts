import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A query is read again at most this often for the sake of pushes, in ms; the first push after a rest is followed at once. */
export const readingEveryMs = 750

interface Readings {
  beganMs: number
  isRunning: boolean
  /** Something changed since the reading that runs, or ran last, began. */
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

/**
 * Reads again what stands under this key. What is asked for while a reading runs, or too soon after it began, is merged into one
 * more: in a burst of messages each key costs one reading after another, and what changed last is always read.
 */
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
    // A reading that fails shows it at its query; the next poll repeats it.
    void client.invalidateQueries({ queryKey }).finally(() => {
      readings.isRunning = false
      next()
    })
  }
  next()
}
