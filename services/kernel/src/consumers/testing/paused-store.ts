import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore, Position } from '../../event-store/port.ts'

export interface PausedStore {
  store: EventStore
  /** Start positions of all `readAll` calls. */
  readings: Position[]
  release(): void
}

/** `readAll` blocks before its first page until released. */
export const pausedStore = (store: EventStore): PausedStore => {
  const released = new AbortController()
  const readings: Position[] = []
  return {
    readings,
    release: () => released.abort(),
    store: {
      ...store,
      async *readAll(after, filter) {
        readings.push(after)
        if (!released.signal.aborted)
          await Promise.race([once(released.signal, 'abort'), delay(60_000, undefined, { ref: false })])
        yield* store.readAll(after, filter)
      },
    },
  }
}
