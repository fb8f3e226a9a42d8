import type { EventStore } from '@prosa/kernel/event-store/port'

/** The same store, whose subscriptions hand out at most so many events at a time; the sizes are used again from the start. */
export const inBatches = (store: EventStore, sizes: readonly number[]): EventStore => ({
  ...store,
  async *subscribe(after, filter, signal) {
    let turn = 0
    for await (const batch of store.subscribe(after, filter, signal)) {
      let rest = batch.events
      for (;;) {
        const size = sizes[turn++ % sizes.length] ?? 1
        if (size >= rest.length) break
        const events = rest.slice(0, size)
        rest = rest.slice(size)
        yield { events, upTo: events.at(-1)?.position ?? batch.upTo, live: false }
      }
      yield { ...batch, events: rest }
    }
  },
})
