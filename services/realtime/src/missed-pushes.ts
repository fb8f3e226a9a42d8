import type { EventStore, Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import { type Push, pushedCategories, pushesFor } from './pushes.ts'

/** Whoever missed more of the whole log than this reads everything again, which is cheaper then. */
const maxEvents = 2000
/** Most pushes of one resume, and how long its read may take: a browser stops waiting for it after 3 seconds. */
const maxPushes = 100
const maxMs = 2000

/**
 * What a subscriber's browser missed since a position; undefined when that is too long ago, or it missed too much. Rejects when the log
 * is out of reach.
 */
export const missedPushes = async (store: EventStore, owner: string, since: Position): Promise<Push[] | undefined> => {
  const missed: RecordedEvent[] = []
  let seen = 0
  const until = performance.now() + maxMs
  for await (const { events } of store.readAll(since, { categories: pushedCategories })) {
    seen += events.length
    if (seen > maxEvents || performance.now() > until) return undefined
    missed.push(...events.filter(({ metadata }) => metadata.owner === owner))
  }
  const pushes = pushesFor(missed)
  return pushes.length > maxPushes ? undefined : pushes
}
