import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Instant } from '@prosa/contracts/values/instant'
import { type Decider, fold } from '@prosa/kernel/domain/decider'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'

type ReadPorts = Pick<Ports, 'store' | 'codec'>

/** The events of one stream of a tenant, decoded; none of another's. */
export const eventsOf = async ({ store, codec }: ReadPorts, stream: string, owner: string): Promise<Stored[]> => {
  const found: Stored[] = []
  for await (const page of store.read(stream)) {
    if (page[0]?.metadata.owner !== owner) return []
    found.push(...(await codec.decode(page)))
  }
  return found
}

/** What a stream amounted to at any moment. */
export const timelineOf = async <E extends AnyEvent, S>(
  ports: ReadPorts,
  stream: string,
  owner: string,
  decider: Decider<never, E, S, string>,
): Promise<(at: Instant) => S> => {
  const events = await eventsOf(ports, stream, owner)
  return (at) =>
    fold(decider, decider.initial, events.filter(({ metadata }) => metadata.recordedAt <= at) as unknown as E[])
}
