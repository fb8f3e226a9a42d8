import { type Scheduled, theWorld } from './world.ts'

/** Replaces Node's `Timeout`. */
class Handle {
  scheduled: Scheduled | undefined

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }
}

type Work = (...values: unknown[]) => unknown

// Timers of equal length fire in a random order.
const jitterMs = () => theWorld().random() * 0.5

export const setTimeout = (work: Work, ms = 0, ...values: unknown[]): Handle => {
  const handle = new Handle()
  handle.scheduled = theWorld().after(Math.max(1, ms) + jitterMs(), () => void work(...values))
  return handle
}

export const setInterval = (work: Work, ms = 0, ...values: unknown[]): Handle => {
  const handle = new Handle()
  const again = () => {
    handle.scheduled = theWorld().after(Math.max(1, ms) + jitterMs(), () => {
      again()
      void work(...values)
    })
  }
  again()
  return handle
}

export const setImmediate = (work: Work, ...values: unknown[]): Handle => {
  const handle = new Handle()
  handle.scheduled = theWorld().after(theWorld().random() * 0.02, () => void work(...values))
  return handle
}

const cancel = (handle: unknown) => {
  if (handle instanceof Handle && handle.scheduled) handle.scheduled.isCancelled = true
}

export const clearTimeout = cancel
export const clearInterval = cancel
export const clearImmediate = cancel

export const simulatedNow = (): number => theWorld().nowMs
export const simulatedRandom = (): number => theWorld().random()
