import type { EventStore, Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import { type Push, pushedCategories, pushesFor } from './pushes.ts'

/** Whoever missed more of the whole log than this reads everything again, which is cheaper then. */
const mostEvents = 2000

/**
 * What a subscriber's browser missed since a position; undefined when it named none, or one that is too long ago. Rejects when the log
 * knows no such place, or is out of reach.
 */
export const missedPushes = async (store: EventStore, owner: string, since: unknown): Promise<Push[] | undefined> => {
  if (typeof since !== 'string' || since === '' || since.length > 100) return undefined
  const missed: RecordedEvent[] = []
  let seen = 0
  for await (const { events } of store.readAll(since as Position, { categories: pushedCategories })) {
    seen += events.length
    if (seen > mostEvents) return undefined
    missed.push(...events.filter(({ metadata }) => metadata.owner === owner))
  }
  return pushesFor(missed)
}
