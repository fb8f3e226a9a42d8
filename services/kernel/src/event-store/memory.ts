import { StoreUnavailable } from '../async/reachability.ts'
import { type AppendRequest, appendRequest, type EventText } from './append-request.ts'
import { categoryOf } from './category.ts'
import { numericPositionOf, positionOf, requireWithin } from './numeric-position.ts'
import {
  type AppendResult,
  type Batch,
  type EventStore,
  maxPageBytes,
  type Position,
  type RecordedEvent,
} from './port.ts'
import { fromStored } from './stored-metadata.ts'

const pageSize = 2000
const backPageSize = 100

interface Row extends EventText {
  stream: string
  category: string
  revision: bigint
  numericPosition: number
}

/** The rows by position and by stream. */
const rowLog = () => {
  const log: Row[] = []
  const streams = new Map<string, Row[]>()

  const append = ({ stream, expected, events }: AppendRequest): AppendResult => {
    const rows = streams.get(stream) ?? []
    const actual = BigInt(rows.length - 1)
    const last = expected + BigInt(events.length)
    if (actual !== expected) {
      const stood = events.map((_, index) => rows[Number(expected) + 1 + index])
      const repeated = events.every(({ id }, index) => stood[index]?.id === id)
      if (!repeated) return { ok: false, actual: actual === -1n ? 'no_stream' : actual }
      return { ok: true, revision: last, position: positionOf(stood.at(-1)?.numericPosition ?? 0), repeated: true }
    }
    const category = categoryOf(stream)
    events.forEach((event, index) => {
      const row = {
        ...event,
        stream,
        category,
        revision: expected + 1n + BigInt(index),
        numericPosition: log.length + 1,
      }
      log.push(row)
      rows.push(row)
    })
    streams.set(stream, rows)
    return { ok: true, revision: last, position: positionOf(log.length), repeated: false }
  }

  /** Without `wanted` all. */
  const page = (from: number, to: number, wanted?: ReadonlySet<string>): { events: RecordedEvent[]; upTo: number } => {
    const events: RecordedEvent[] = []
    let upTo = from
    for (const row of log.slice(from, to)) {
      if (events.length === pageSize) break
      if (!wanted || wanted.has(row.category)) events.push(recorded(row))
      upTo = row.numericPosition
    }
    return { events, upTo }
  }

  async function* pages(after: Position, wanted?: ReadonlySet<string>): AsyncGenerator<Batch> {
    const end = log.length
    let numericPosition = numericPositionOf(after)
    requireWithin(numericPosition, end)
    while (numericPosition < end) {
      const { events, upTo } = page(numericPosition, end, wanted)
      numericPosition = upTo
      yield { events, upTo: positionOf(numericPosition), live: false }
    }
  }

  return {
    append,
    rowsOf: (stream: string): readonly Row[] => streams.get(stream) ?? [],
    /** Numeric position of the last row. */
    end: () => log.length,
    page,
    pages,
  }
}

/** For tests. JSON text, so that stored events cannot be mutated. */
export const memoryEventStore = (): EventStore => {
  const { append, rowsOf, end, page, pages } = rowLog()
  const waiting = new Set<() => void>()
  let closed = false
  /** As the adapters, which know of changes once they follow the log. */
  let isFollowed = false

  const wakeAll = () => {
    for (const wake of [...waiting]) wake()
  }

  const change = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      waiting.add(wake)
      signal.addEventListener('abort', wake)
    })

  return {
    append: async (stream, expected, events) => {
      if (closed) throw new StoreUnavailable('the event store is closed')
      const request = appendRequest(stream, expected, events)
      const result = append(request)
      wakeAll()
      return result
    },

    async *read(stream, { from = 0n, max = Number.POSITIVE_INFINITY } = {}) {
      yield* inPagesOf(rowsOf(stream).slice(Number(from), Number(from) + max), pageSize)
    },

    async *readMany(asked, upTo) {
      const last = numericPositionOf(upTo)
      const rows = asked.flatMap(({ stream, from }) =>
        rowsOf(stream)
          .slice(Number(from))
          .filter(({ numericPosition }) => numericPosition <= last),
      )
      yield* inPagesOf(rows, pageSize)
    },

    async *readBack(stream) {
      yield* inPagesOf(rowsOf(stream).toReversed(), backPageSize)
    },

    readAll: (after, filter) => pages(after, new Set(filter.categories)),

    readWhole: (after) => pages(after),

    async *subscribe(after, filter, signal) {
      const wanted = new Set(filter.categories)
      let numericPosition = numericPositionOf(after)
      requireWithin(numericPosition, end())
      isFollowed = true
      let live = false
      while (!signal.aborted && !closed) {
        if (live && numericPosition === end()) {
          await change(signal)
          continue
        }
        const { events, upTo } = page(numericPosition, end(), wanted)
        numericPosition = upTo
        live ||= numericPosition === end()
        yield { events, upTo: positionOf(numericPosition), live } satisfies Batch
      }
    },

    isUnchanged: (stream, since) =>
      isFollowed && (rowsOf(stream).at(-1)?.numericPosition ?? 0) <= numericPositionOf(since),

    close: async () => {
      closed = true
      wakeAll()
    },
  }
}

function* inPagesOf(rows: readonly Row[], size: number): Generator<RecordedEvent[]> {
  let page: RecordedEvent[] = []
  let bytes = 0
  for (const row of rows) {
    page.push(recorded(row))
    bytes += row.data.length + row.metadata.length
    if (page.length < size && bytes < maxPageBytes) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

const recorded = ({ stream, revision, numericPosition, id, type, data, metadata }: Row): RecordedEvent => ({
  id,
  type,
  data: JSON.parse(data),
  metadata: fromStored(metadata),
  stream,
  revision,
  position: positionOf(numericPosition),
})
