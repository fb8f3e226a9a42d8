import type { Pool } from 'pg'
import type { Reachability } from '../../async/reachability.ts'
import { inPages } from '../in-pages.ts'
import type { Filter, RecordedEvent } from '../port.ts'
import { CopiedEvents } from './copied-events.ts'
import { readCategories } from './queries.ts'

const copyBytes = 4 * 1024 * 1024
const maxCopied = 8000
const firstCopied = 1000
/** Bounds the query time for rare categories and moves checkpoints on. */
const scanSize = 100_000

export interface Stretch {
  /** Exclusive. */
  after: number
  /** Inclusive. */
  upTo: number
}

/** At most `size` a batch; also ends on abort. */
export type CategoryBatches = (
  stretch: Stretch,
  filter: Filter,
  size: number,
  signal?: AbortSignal,
) => AsyncGenerator<{ events: RecordedEvent[]; upTo: number }>

export const categoryBatches = (reader: Pool, server: Reachability): CategoryBatches =>
  async function* ({ after, upTo: end }, { categories }, size, signal) {
    /** Reused buffers. A failed query keeps its own: late data may arrive. */
    const spare: CopiedEvents[] = []
    let limit = firstCopied
    const pages = inPages(after, async (from) => {
      if (from >= end) return undefined
      const to = Math.min(end, from + scanSize)
      const asked = limit
      const query = () => readCategories(reader, from, to, categories, asked, spare.pop() ?? new CopiedEvents())
      const copied = await (signal ? server.retryUntilAborted(query, signal) : server.retryForAWhile(query))
      if (copied === undefined) return undefined
      const next = copied.length === asked ? copied.numericPositionAt(asked - 1) : to
      if (copied.length > 0) limit = Math.ceil(Math.min(maxCopied, (copyBytes * copied.length) / copied.bytes))
      return { page: { copied, upTo: next }, next }
    })
    for await (const { copied, upTo } of pages) {
      let events: RecordedEvent[] = []
      for (let index = 0; index < copied.length; index++) {
        events.push(copied.at(index))
        if (events.length < size || index === copied.length - 1) continue
        yield { events, upTo: copied.numericPositionAt(index) }
        events = []
      }
      copied.clear()
      spare.push(copied)
      yield { events, upTo }
    }
  }
