import { setTimeout as delay } from 'node:timers/promises'
import type { Batch, EventStore } from '../../event-store/port.ts'

/** Batch sizes repeat cyclically. */
export const inBatches = (store: EventStore, sizes: readonly number[], pauseMs = 0): EventStore => {
  async function* cut(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    let round = 0
    for await (const batch of batches) {
      let rest = batch.events
      for (;;) {
        const size = sizes[round++ % sizes.length] ?? 1
        if (size >= rest.length) break
        const events = rest.slice(0, size)
        rest = rest.slice(size)
        if (pauseMs > 0) await delay(pauseMs)
        yield { events, upTo: events.at(-1)?.position ?? batch.upTo, live: false }
      }
      yield { ...batch, events: rest }
    }
  }
  return {
    ...store,
    readAll: (after, filter) => cut(store.readAll(after, filter)),
    subscribe: (after, filter, signal) => cut(store.subscribe(after, filter, signal)),
  }
}
