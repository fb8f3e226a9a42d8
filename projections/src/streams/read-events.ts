import { setImmediate as iteration } from 'node:timers/promises'
import type { EventsQuery, StreamFormat } from '@prosa/contracts/http/streams'
import { catalogue } from '@prosa/contracts/published/catalogue'
import type { EventColumn } from '@prosa/contracts/published/columns'
import { type PublishedEvent, tenantOf } from '@prosa/contracts/published/published-of'
import { pause } from '@prosa/kernel/async/pause'
import {
  type Batch,
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '@prosa/kernel/event-store/port'
import type { LogTimes } from '@prosa/kernel/event-store/times/log-times'
import type { Ports } from '@prosa/kernel/ports'
import { type ParquetRow, parquetFile } from '@prosa/product/parquet/write-parquet'
import { csvHead, csvOf, rowOf } from '@prosa/product/publishing/event-rows'
import type { PublishEvents } from '@prosa/product/publishing/publish-events'

export interface Question {
  after: Position
  /** Nothing behind it; undefined: to the end. */
  upTo: Position | undefined
  /** Only this tenant's, by its id; null: all. */
  tenant: string | null
  query: Omit<EventsQuery, 'after' | 'upTo' | 'format'>
  publish: PublishEvents
  /** Of each event's position, for `after`. */
  tokensOf: (positions: readonly Position[]) => readonly string[]
  /** False ends the answer, with `ReadingEnded`. */
  mayGoOn: () => Promise<boolean>
}

/** So many events go on together; between them others have the process. */
const chunkEvents = 100
/** Something is sent then, so that an idle answer is known to be alive. */
export const heartbeatMs = 25_000

/** Somebody may not read on: the answer is broken off, as one that ends would look whole. */
export class ReadingEnded extends Error {
  override name = 'ReadingEnded'
}

interface Wanted {
  categories: readonly string[]
  isWanted(event: RecordedEvent): boolean
}

/** Types that the query names; all where it names none. */
export const typesOf = ({ service, type }: Question['query']): readonly string[] =>
  catalogue
    .filter((entry) => (!service || service.includes(entry.service)) && (!type || type.includes(entry.type)))
    .map((entry) => entry.type)

const wantedBy = ({ tenant, upTo, query }: Question): Wanted => {
  const { since, until } = query
  const wanted = new Set(typesOf(query))
  const entries = catalogue.filter(({ type }) => wanted.has(type))
  const types = new Set<string>(entries.map(({ from }) => from))
  return {
    categories: [...new Set(entries.map(({ category }) => category))],
    isWanted({ type, stream, metadata, position }) {
      if (upTo !== undefined && position > upTo) return false
      if (!types.has(type) || (tenant !== null && tenantOf({ stream, metadata }) !== tenant)) return false
      const { recordedAt } = metadata
      return (since === undefined || recordedAt >= since) && (until === undefined || recordedAt < until)
    },
  }
}

interface Deps extends Pick<Ports, 'codec'> {
  store: Pick<EventStore, 'readAll' | 'subscribe'>
  times: LogTimes
}

async function* batchesOf(
  { store, times }: Deps,
  categories: readonly string[],
  { after, query }: Question,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const isLive = query.live === 'true'
  if (query.since === undefined && query.until === undefined) {
    yield* isLive ? store.subscribe(after || beginning, { categories }, signal) : store.readAll(after, { categories })
    return
  }
  for await (const { after: from, upTo } of times.stretches(query, after)) {
    if (upTo === undefined && isLive) yield* store.subscribe(from, { categories }, signal)
    else yield* times.within({ after: from, upTo }, { categories })
  }
}

/** Undefined where nothing came for that long. */
async function* withHeartbeat(batches: AsyncIterable<Batch>, signal: AbortSignal): AsyncGenerator<Batch | undefined> {
  const iterator = batches[Symbol.asyncIterator]()
  try {
    let next = iterator.next()
    while (!signal.aborted) {
      const waiting = new AbortController()
      const found = await Promise.race([next, pause(heartbeatMs, AbortSignal.any([signal, waiting.signal]))])
      waiting.abort()
      if (!found) yield undefined
      else if (found.done) return
      else {
        yield found.value
        next = iterator.next()
      }
    }
  } finally {
    await iterator.return?.()
  }
}

/** In chunks that are not empty, or undefined as a heartbeat; reads on only when a chunk was taken. */
export async function* readEvents(
  deps: Deps,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<readonly PublishedEvent[] | undefined> {
  const { categories, isWanted } = wantedBy(question)
  if (categories.length === 0) return
  const { tenant, live } = question.query
  const { tokensOf } = question
  // The reply's head leaves with the first piece.
  if (live === 'true') yield undefined
  for await (const batch of withHeartbeat(batchesOf(deps, categories, question, signal), signal)) {
    if (!batch) yield undefined
    if (!(await question.mayGoOn())) throw new ReadingEnded()
    const wanted = batch?.events.filter(isWanted) ?? []
    for (let from = 0; from < wanted.length && !signal.aborted; from += chunkEvents) {
      const decoded = await deps.codec.decode(wanted.slice(from, from + chunkEvents))
      const shown: PublishedEvent[] = []
      for (const event of await question.publish(decoded))
        if (event && (tenant === undefined || event.tenant === tenant)) shown.push(event)
      const tokens = tokensOf(shown.map(({ position }) => position as Position))
      for (const [index, event] of shown.entries()) event.position = tokens[index] ?? ''
      if (shown.length > 0) yield shown
      await iteration()
    }
    if (question.upTo !== undefined && batch && batch.upTo >= question.upTo) return
  }
}

type Chunks = AsyncIterable<readonly PublishedEvent[] | undefined>
type Pieces = AsyncGenerator<string | Uint8Array>

interface Format {
  contentType: string
  /** Whether it can follow the log, and be compressed on its way. */
  isText: boolean
  write(chunks: Chunks, columns: readonly EventColumn[]): Pieces
}

async function* ndjson(chunks: Chunks): Pieces {
  for await (const events of chunks)
    yield events ? `${events.map((event) => JSON.stringify(event)).join('\n')}\n` : '\n'
}

async function* csv(chunks: Chunks, columns: readonly EventColumn[]): Pieces {
  yield csvHead(columns)
  for await (const events of chunks) if (events) yield csvOf(columns, events)
}

async function* parquet(chunks: Chunks, columns: readonly EventColumn[]): Pieces {
  async function* rows(): AsyncGenerator<ParquetRow> {
    for await (const events of chunks) for (const event of events ?? []) yield rowOf(columns, event)
  }
  yield* parquetFile(columns, rows())
}

export const formats: Record<StreamFormat, Format> = {
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', isText: true, write: ndjson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', isText: true, write: csv },
  parquet: { contentType: 'application/vnd.apache.parquet', isText: false, write: parquet },
}
