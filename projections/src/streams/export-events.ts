import { setImmediate as iteration } from 'node:timers/promises'
import type { EventsQuery } from '@prosa/contracts/http/streams'
import { catalogue } from '@prosa/contracts/published/catalogue'
import { type PublishedEvent, tenantOf } from '@prosa/contracts/published/published-of'
import { pause } from '@prosa/kernel/async/pause'
import {
  type Batch,
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { PublishEvents } from '@prosa/product/publishing/publish-events'

export interface Question {
  after: Position
  /** Nothing behind it; undefined: to the end. */
  upTo: Position | undefined
  /** Only this tenant's, by its id; null: all. */
  owner: string | null
  query: Omit<EventsQuery, 'after' | 'upTo'>
  publish: PublishEvents
  /** Of an event's position, for `after`. */
  tokenOf: (position: Position) => string
  /** False cuts the answer off. */
  mayGoOn: () => Promise<boolean>
}

/** Lines of this many events go on together; between them others have the process. */
const chunkEvents = 100
/** A blank line, so that an idle answer is known to be alive. */
export const heartbeatMs = 25_000

interface Wanted {
  categories: readonly string[]
  isWanted(event: RecordedEvent): boolean
}

/** The key is over: the answer has no end, which the reader would take for the end of the events. */
export class ReadingRefused extends Error {
  override name = 'ReadingRefused'
}

const wantedBy = ({ owner, upTo, query }: Question): Wanted => {
  const { service, type, since, until } = query
  const entries = catalogue.filter(
    (entry) => (!service || service.includes(entry.service)) && (!type || type.includes(entry.type)),
  )
  const types = new Set<string>(entries.map(({ from }) => from))
  return {
    categories: [...new Set(entries.map(({ category }) => category))],
    isWanted({ type, stream, metadata, position }) {
      if (upTo !== undefined && position > upTo) return false
      if (!types.has(type) || (owner !== null && tenantOf({ stream, metadata }) !== owner)) return false
      const { recordedAt } = metadata
      return (since === undefined || recordedAt >= since) && (until === undefined || recordedAt < until)
    },
  }
}

const batchesOf = (
  store: EventStore,
  categories: readonly string[],
  { after, query }: Question,
  signal: AbortSignal,
) =>
  query.live === 'true'
    ? store.subscribe(after || beginning, { categories }, signal)
    : store.readAll(after || beginning, { categories })

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

const lineOf = (event: PublishedEvent, { tokenOf }: Question): string =>
  `${JSON.stringify({ ...event, position: tokenOf(event.position as Position) })}\n`

/** NDJSON in pieces; reads on only when a piece was taken. */
export async function* exportEvents(
  { store, codec }: Pick<Ports, 'store' | 'codec'>,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { categories, isWanted } = wantedBy(question)
  if (categories.length === 0) return
  const { tenant, live } = question.query
  // The reply's head leaves with the first piece.
  if (live === 'true') yield '\n'
  for await (const batch of withHeartbeat(batchesOf(store, categories, question, signal), signal)) {
    if (!batch) yield '\n'
    if (!(await question.mayGoOn())) throw new ReadingRefused('the key is over')
    const wanted = batch?.events.filter(isWanted) ?? []
    for (let from = 0; from < wanted.length && !signal.aborted; from += chunkEvents) {
      const decoded = await codec.decode(wanted.slice(from, from + chunkEvents))
      const published = (await question.publish(decoded)).filter((event) => event !== undefined)
      const shown = published.filter((event) => tenant === undefined || event.tenant === tenant)
      if (shown.length > 0) yield shown.map((event) => lineOf(event, question)).join('')
      await iteration()
    }
    if (question.upTo !== undefined && batch && batch.upTo >= question.upTo) return
  }
}
