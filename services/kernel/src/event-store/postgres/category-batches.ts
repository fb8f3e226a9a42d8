import type { Pool } from 'pg'
import type { Reachability } from '../../async/reachability.ts'
import { inPages } from '../in-pages.ts'
import type { Filter, RecordedEvent } from '../port.ts'
import { CopiedEvents } from './copied-events.ts'
import { readCategories } from './queries.ts'

/** How much PostgreSQL is asked for at once: between two such questions it stands idle. */
const copyBytes = 4 * 1024 * 1024
const maxCopied = 8000
const firstCopied = 1000
/** How many places one query looks through for categories that may be rare: bounds its time and moves checkpoints on. */
const scanSize = 100_000

export interface Stretch {
  /** The place after which it begins. */
  after: number
  /** The place of its last event. */
  upTo: number
}

/** The events of some categories in one stretch of the log, `size` at most in a batch; with a signal it also ends when that aborts. */
export type CategoryBatches = (
  stretch: Stretch,
  filter: Filter,
  size: number,
  signal?: AbortSignal,
) => AsyncGenerator<{ events: RecordedEvent[]; upTo: number }>

export const categoryBatches = (reader: Pool, server: Reachability): CategoryBatches =>
  async function* ({ after, upTo: end }, { categories }, size, signal) {
    /** Of pages that were read. A question that failed keeps its own: what is still on its way to it may come later. */
    const spare: CopiedEvents[] = []
    let limit = firstCopied
    const pages = inPages(after, async (from) => {
      if (from >= end) return undefined
      const to = Math.min(end, from + scanSize)
      const asked = limit
      const query = () => readCategories(reader, from, to, categories, asked, spare.pop() ?? new CopiedEvents())
      const copied = await (signal ? server.retryUntilAborted(query, signal) : server.retryForAWhile(query))
      if (copied === undefined) return undefined
      const next = copied.length === asked ? copied.placeAt(asked - 1) : to
      if (copied.length > 0) limit = Math.ceil(Math.min(maxCopied, (copyBytes * copied.length) / copied.bytes))
      return { page: { copied, upTo: next }, next }
    })
    for await (const { copied, upTo } of pages) {
      let events: RecordedEvent[] = []
      for (let index = 0; index < copied.length; index++) {
        events.push(copied.at(index))
        if (events.length < size || index === copied.length - 1) continue
        yield { events, upTo: copied.placeAt(index) }
        events = []
      }
      copied.clear()
      spare.push(copied)
      yield { events, upTo }
    }
  }
