import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '../async/time-slice.ts'
import type { Codec } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/port.ts'
import { fold, type Reader } from './decider.ts'

/** What a stream amounted to at any moment; initial for another tenant's. */
export const readTimeline = async <E extends AnyEvent, S>(
  { store, codec }: { store: EventStore; codec: Codec },
  stream: string,
  tenant: string,
  reader: Reader<E, S>,
  slice: TimeSlice,
): Promise<(at: Instant) => S> => {
  const states: { at: Instant; state: S }[] = []
  let [at, state] = ['', reader.initial]
  for await (const page of store.read(stream)) {
    if (page[0]?.metadata.tenant !== tenant) return () => reader.initial
    for (const event of await codec.decode(page.filter(({ type }) => Object.hasOwn(reader.evolve, type)))) {
      if (slice.isDue()) await slice.turn()
      // Another process's clock may be behind.
      if (event.metadata.recordedAt > at) at = event.metadata.recordedAt
      state = fold(reader, state, [event as unknown as E])
      states.push({ at, state })
    }
  }
  return (moment) => lastUntil(states, moment)?.state ?? reader.initial
}

/** Items are in order of time. */
const lastUntil = <T extends { at: Instant }>(items: readonly T[], moment: Instant): T | undefined => {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((items[middle]?.at ?? '') <= moment) from = middle + 1
    else to = middle
  }
  return items[from - 1]
}
