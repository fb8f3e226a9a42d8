import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { type Decider, fold } from '@prosa/kernel/domain/decider'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'

type ReadPorts = Pick<Ports, 'store' | 'codec'>

export const eventsOf = async (
  { store, codec }: ReadPorts,
  stream: string,
  owner: string,
  slice: TimeSlice,
): Promise<Stored[]> => {
  const found: Stored[] = []
  for await (const page of store.read(stream)) {
    if (page[0]?.metadata.owner !== owner) return []
    if (slice.isDue()) await slice.turn()
    found.push(...(await codec.decode(page)))
  }
  return found
}

export const timelineOf = async <E extends AnyEvent, S>(
  ports: ReadPorts,
  stream: string,
  owner: string,
  decider: Decider<never, E, S, string>,
  slice: TimeSlice,
): Promise<(at: Instant) => S> => {
  const events = await eventsOf(ports, stream, owner, slice)
  const states: { at: Instant; state: S }[] = []
  let [at, state] = ['', decider.initial]
  for (const event of events) {
    if (slice.isDue()) await slice.turn()
    // Another process's clock may be behind.
    if (event.metadata.recordedAt > at) at = event.metadata.recordedAt
    state = fold(decider, state, [event as unknown as E])
    states.push({ at, state })
  }
  return (moment) => lastUntil(states, moment)?.state ?? decider.initial
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
