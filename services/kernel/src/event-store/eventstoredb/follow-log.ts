import { categoryOf } from '../category.ts'
import type { Batch, Filter } from '../port.ts'
import type { Page } from './catch-up.ts'
import type { LogTail } from './log-tail.ts'
import type { PagesOfLog } from './pages-of-log.ts'
import { positionOf } from './position.ts'
import { recordedFromCached } from './received.ts'

const pageSize = 2000

const batchOf = ({ events, upTo }: Page, live: boolean): Batch => ({ events, upTo: positionOf(upTo), live })

/** From the server up to `head`, then from the tail. */
export async function* followLog(
  { tail, pages }: { tail: LogTail; pages: PagesOfLog },
  { after, head }: { after: bigint; head: bigint },
  filter: Filter,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let numericPosition = after
  // Only the server can validate a position.
  for await (const page of pages(numericPosition, head, filter, signal)) {
    numericPosition = page.upTo
    yield batchOf(page, false)
    if (signal.aborted) return
  }

  const wanted = new Set(filter.categories)
  let live = false
  signal.addEventListener('abort', tail.lookUp)
  try {
    while (!signal.aborted) {
      const newer = tail.after(numericPosition)
      if (newer === undefined) {
        for await (const page of pages(numericPosition, tail.head(), filter, signal)) {
          numericPosition = page.upTo
          yield batchOf(page, live)
          if (signal.aborted) return
        }
      } else if (newer.length === 0 && live) {
        // The server's own events are not delivered.
        if (tail.head() > numericPosition) numericPosition = tail.head()
        await tail.passed(numericPosition, wanted, signal)
      } else {
        live = true
        const taken = newer.slice(0, pageSize)
        const reached = taken.length < newer.length ? taken.at(-1)?.numericPosition : tail.head()
        if (reached !== undefined && reached > numericPosition) numericPosition = reached
        const events = taken.filter(({ stream }) => wanted.has(categoryOf(stream))).map(recordedFromCached)
        yield batchOf({ events, upTo: numericPosition }, live)
      }
    }
  } finally {
    signal.removeEventListener('abort', tail.lookUp)
  }
}
