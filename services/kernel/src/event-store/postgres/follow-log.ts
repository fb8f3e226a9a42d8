import { lruMap } from '../../lru-map.ts'
import { categoryOf } from '../category.ts'
import { positionOf } from '../numeric-position.ts'
import type { Batch, Filter, RecordedEvent } from '../port.ts'
import type { CategoryBatches } from './category-batches.ts'
import type { LogTail } from './log-tail.ts'
import { type EventRow, recordedEvent } from './queries.ts'

const pageSize = 2000
/** A larger cache outlives the young generation, which costs garbage collection. */
const maxParsed = 100

/** From the tail or, further back, the table; live past `head`. */
export type FollowLog = (after: number, head: number, filter: Filter, signal: AbortSignal) => AsyncGenerator<Batch>

export const followLog = (tail: LogTail, batches: CategoryBatches): FollowLog => {
  /** Parsed once for all followers. */
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
    let numericPosition = after
    let live = false
    signal.addEventListener('abort', tail.lookUp)
    try {
      while (!signal.aborted) {
        const newer = tail.after(numericPosition)
        if (newer === undefined) {
          for await (const { events, upTo } of batches(
            { after: numericPosition, upTo: tail.head() },
            filter,
            pageSize,
            signal,
          )) {
            numericPosition = upTo
            yield { events, upTo: positionOf(numericPosition), live }
            if (signal.aborted) return
          }
        } else if (newer.length === 0 && (live || numericPosition < head)) {
          await tail.passed(numericPosition, wanted, signal)
        } else {
          const page = newer.slice(0, pageSize)
          numericPosition += page.length
          live ||= numericPosition >= head
          const events = page.filter(([, stream]) => wanted.has(categoryOf(stream))).map(eventOf)
          yield { events, upTo: positionOf(numericPosition), live }
        }
      }
    } finally {
      signal.removeEventListener('abort', tail.lookUp)
    }
  }
}
