import { lruMap } from '../../lru-map.ts'
import { categoryOf } from '../category.ts'
import { positionOf } from '../place.ts'
import type { Batch, Filter, RecordedEvent } from '../port.ts'
import type { CategoryBatches } from './category-batches.ts'
import type { LogTail } from './log-tail.ts'
import { type EventRow, recordedEvent } from './queries.ts'

const pageSize = 2000
/** Followers are a few events apart. What is held for longer is no longer young when it is thrown away, which costs node dearly. */
const maxParsed = 100

/** Follows the log after a place, live once it has passed `head`: from the tail, or from the table where that is further back. */
export type FollowLog = (after: number, head: number, filter: Filter, signal: AbortSignal) => AsyncGenerator<Batch>

export const followLog = (tail: LogTail, batches: CategoryBatches): FollowLog => {
  /** The newest of what the tail holds, parsed once for all who follow it closely. */
  const parsed = lruMap<EventRow, RecordedEvent>(maxParsed)
  const eventOf = (row: EventRow): RecordedEvent => {
    const known = parsed.get(row)
    if (known) return known
    const event = recordedEvent(row)
    parsed.set(row, event)
    return event
  }

  return async function* (after, head, filter, signal) {
    const wanted = new Set(filter.categories)
    let place = after
    let live = false
    signal.addEventListener('abort', tail.lookUp)
    try {
      while (!signal.aborted) {
        const newer = tail.after(place)
        if (newer === undefined) {
          for await (const { events, upTo } of batches({ after: place, upTo: tail.head() }, filter, pageSize, signal)) {
            place = upTo
            yield { events, upTo: positionOf(place), live }
            if (signal.aborted) return
          }
        } else if (newer.length === 0 && (live || place < head)) {
          await tail.passed(place, wanted, signal)
        } else {
          const page = newer.slice(0, pageSize)
          place += page.length
          live ||= place >= head
          const events = page.filter(([, stream]) => wanted.has(categoryOf(stream))).map(eventOf)
          yield { events, upTo: positionOf(place), live }
        }
      }
    } finally {
      signal.removeEventListener('abort', tail.lookUp)
    }
  }
}
