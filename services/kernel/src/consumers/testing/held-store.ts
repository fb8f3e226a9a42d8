import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore, Position } from '../../event-store/port.ts'

export interface HeldStore {
  store: EventStore
  /** Where each reading of the whole log began, in order. */
  readings: Position[]
  /** From now on `readAll` gives what it has. */
  release(): void
}

/** The same store, whose `readAll` waits before its first page until it is released: whoever rebuilds stands still there. */
export const heldStore = (store: EventStore): HeldStore => {
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
