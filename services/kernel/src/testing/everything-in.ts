import type { Category } from '@prosa/contracts/streams'
import { eventCodec, type Stored } from '../event-store/codec.ts'
import { beginning, type EventStore } from '../event-store/port.ts'

/** Decoded, in log order. */
export const everythingIn = async (store: EventStore, ...categories: Category[]): Promise<Stored[]> => {
  const events: Stored[] = []
  for await (const batch of store.readAll(beginning, { categories })) {
    events.push(...(await eventCodec().decode(batch.events)))
  }
  return events
}
