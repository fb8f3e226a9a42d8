import pg, { type Pool, type QueryArrayConfig } from 'pg'
import type { AppendRequest } from '../append-request.ts'
import { numericPositionOf, positionOf } from '../numeric-position.ts'
import { type AppendResult, maxPageBytes, type Position, type RecordedEvent, type StreamFrom } from '../port.ts'
import { fromStored } from '../stored-metadata.ts'
import type { CopiedEvents } from './copied-events.ts'
import { separator } from './table.ts'

/** Skips parsing of JSON and numbers that may go unread. */
type Text = string | null
const types = { getTypeParser: () => (text: string) => text }

export type EventRow = [string, string, string, string, string, string, string]
const columns = 'position, stream, revision, id, type, data, metadata'

const rows = async <R extends Text[]>(on: Pool, query: Omit<QueryArrayConfig, 'rowMode' | 'types'>) =>
  (await on.query<R>({ ...query, rowMode: 'array', types })).rows

/** One commit; results in order. One pass, as map and join cost a tenth of the append rate. */
export const appendAll = async (on: Pool, requests: readonly AppendRequest[]): Promise<AppendResult[]> => {
  let [streams, revisions, steps, ids, types, datas, metadatas] = ['', '', '', '', '', '', '']
  let between = ''
  for (const { stream, expected, events } of requests) {
    let step = 0
    for (const { id, type, data, metadata } of events) {
      step += 1
      const parting = between && separator
      streams += parting + stream
      revisions += between + (expected + BigInt(step))
      steps += between + step
      ids += between + id
      types += parting + type
      datas += parting + data
      metadatas += parting + metadata
      between = ' '
    }
  }
  const answers = await rows<[string, Text, Text]>(on, {
    name: 'es.append_v3',
    text: 'select outcome, revision, position from es.append_v3($1, $2, $3, $4, $5, $6, $7)',
    values: [streams, revisions, steps, ids, types, datas, metadatas],
  })
  const [outcome, , before] = answers[0] ?? []
  return outcome === 'all' ? allAppended(requests, Number(before)) : answers.map(appendResult)
}

const allAppended = (requests: readonly AppendRequest[], before: number): AppendResult[] => {
  let position = before
  return requests.map(({ expected, events }) => {
    position += events.length
    return {
      ok: true,
      revision: expected + BigInt(events.length),
      position: positionOf(position),
      repeated: false,
    }
  })
}

const appendResult = ([outcome, revision, position]: [string, Text, Text]): AppendResult => {
  if (revision === null) throw new Error(`an append was answered ${outcome} without a revision`)
  if (outcome === 'conflict') return { ok: false, actual: revision === '-1' ? 'no_stream' : BigInt(revision) }
  if (position === null) throw new Error(`an append was answered ${outcome} without a position`)
  return { ok: true, revision: BigInt(revision), position: positionOf(position), repeated: outcome === 'repeated' }
}

export const rowsOf = (requests: readonly AppendRequest[], results: readonly AppendResult[]): EventRow[] =>
  requests.flatMap(({ stream, expected, events }, index) => {
    const result = results[index]
    if (!result?.ok || result.repeated) return []
    const before = numericPositionOf(result.position) - events.length
    return events.map(({ id, type, data, metadata }, step): EventRow => {
      const numericPosition = String(before + step + 1)
      return [numericPosition, stream, String(expected + BigInt(step) + 1n), id, type, data, metadata]
    })
  })

/** 0 on an empty log. */
export const readHead = async (on: Pool): Promise<number> => {
  const found = await rows<[string]>(on, {
    name: 'es.head',
    text: 'select coalesce(max(position), 0) from es.event',
  })
  return Number(found[0]?.[0])
}

/** Limited to `maxPageBytes` before the last event, summed in PostgreSQL. */
export const readStream = (on: Pool, stream: string, from: bigint, limit: number): Promise<EventRow[]> =>
  rows<EventRow>(on, {
    name: 'es.read_stream_v2',
    text: `select ${columns} from (
        select ${columns}, sum(octet_length(data::text) + octet_length(metadata::text)) over (
          order by revision rows between unbounded preceding and 1 preceding
        ) as bytes_before
        from es.event where stream = $1 and revision >= $2 order by revision limit $3
      ) e where coalesce(bytes_before, 0) < ${maxPageBytes} order by revision`,
    values: [stream, from, limit],
  })

/** Of each up to a position, in the order asked; limited as `readStream`. */
export const readStreams = (on: Pool, asked: readonly StreamFrom[], upTo: number, limit: number): Promise<EventRow[]> =>
  rows<EventRow>(on, {
    name: 'es.read_streams',
    text: `select ${columns} from (
        select asked.place, e.*, sum(octet_length(e.data::text) + octet_length(e.metadata::text)) over (
          order by asked.place, e.revision rows between unbounded preceding and 1 preceding
        ) as bytes_before
        from unnest($1::text[], $2::bigint[]) with ordinality as asked (stream, revision, place)
        cross join lateral (
          select ${columns} from es.event
          where stream = asked.stream and revision >= asked.revision and position <= $3 order by revision limit $4
        ) e
        order by asked.place, e.revision limit $4
      ) e where coalesce(bytes_before, 0) < ${maxPageBytes} order by place, revision`,
    values: [asked.map(({ stream }) => stream), asked.map(({ from }) => String(from)), upTo, limit],
  })

/** Newest first; null: from the end. */
export const readStreamBack = (on: Pool, stream: string, before: bigint | null, limit: number): Promise<EventRow[]> =>
  rows<EventRow>(on, {
    name: 'es.read_stream_back',
    text: `select ${columns} from (
        select ${columns}, sum(octet_length(data::text) + octet_length(metadata::text)) over (
          order by revision desc rows between unbounded preceding and 1 preceding
        ) as bytes_before
        from es.event where stream = $1 and revision < coalesce($2, 9223372036854775807) order by revision desc limit $3
      ) e where coalesce(bytes_before, 0) < ${maxPageBytes} order by revision desc`,
    values: [stream, before, limit],
  })

export const readTail = (on: Pool, after: number, limit: number): Promise<EventRow[]> =>
  rows<EventRow>(on, {
    name: 'es.read_tail',
    text: `select ${columns} from es.event where position > $1 order by position limit $2`,
    values: [after, limit],
  })

/** Of every category, limited as `readStream`. */
export const readRange = (on: Pool, after: number, upTo: number, limit: number): Promise<EventRow[]> =>
  rows<EventRow>(on, {
    name: 'es.read_range',
    text: `select ${columns} from (
        select ${columns}, sum(octet_length(data::text) + octet_length(metadata::text)) over (
          order by position rows between unbounded preceding and 1 preceding
        ) as bytes_before
        from es.event where position > $1 and position <= $2 order by position limit $3
      ) e where coalesce(bytes_before, 0) < ${maxPageBytes} order by position`,
    values: [after, upTo, limit],
  })

/** Below the first position: no append writes there, and readers of the log never look. */
export const readMisplaced = async (on: Pool): Promise<{ id: string; stream: string; position: Position }[]> => {
  const { rows } = await on.query<{ id: string; stream: string; position: Position }>(
    'select id, stream, position::text from es.event where position < 1 order by es.event.position',
  )
  return rows
}

/** Binary COPY costs the driver half of query rows. COPY takes no parameters. */
export const readCategories = async (
  on: Pool,
  after: number,
  upTo: number,
  categories: readonly string[],
  limit: number,
  copied: CopiedEvents,
): Promise<CopiedEvents> => {
  // A hyphen would make it match a stream prefix.
  const prefixes = categories.filter((category) => !category.includes('-')).map((category) => `${category}-`)
  const wanted = prefixes.map(pg.escapeLiteral).join(', ')
  await on.query(
    new CopyOut(
      `copy (
        select position, stream, revision, id::text, type, data, metadata from es.event
        where position > ${after} and position <= ${upTo} and stream ^@ any(array[${wanted}]::text[])
        order by position limit ${limit}
      ) to stdout (format binary)`,
      copied,
    ),
  )
  return copied
}

/** Keeps COPY data: one message a row, and one at the end. */
class CopyOut extends pg.Query {
  readonly copied: CopiedEvents

  constructor(text: string, copied: CopiedEvents) {
    super(text)
    this.copied = copied
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    this.copied.add(chunk)
  }
}

export const recordedEvent = (row: EventRow): RecordedEvent => {
  const [position, stream, revision, id, type, data, metadata] = row
  return {
    id,
    type,
    data: JSON.parse(data),
    metadata: fromStored(metadata),
    stream,
    revision: BigInt(revision),
    position: positionOf(position),
  }
}
