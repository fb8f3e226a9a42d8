import type { EventStore, Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import { type Push, pushedCategories, pushesFor } from './pushes.ts'

/** Events of the whole log beyond which a reload is cheaper. */
const maxEvents = 2000
/** Limits of one resume: a browser waits 3 seconds for it. */
const maxPushes = 100
const maxMs = 2000

/** undefined when too many. Rejects when the log is unreachable. */
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
