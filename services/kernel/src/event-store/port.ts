import type { EventMetadata } from '@prosa/contracts/events/metadata'
import type { Json } from '../json.ts'
import { LoggableError } from '../loggable-error.ts'
import type { Metric } from '../observability/metric.ts'

/** Opaque text that sorts bytewise in log order; `beginning` sorts first. */
export type Position = string & { readonly position: unique symbol }

export const beginning = '' as Position

/** There is no "any": its retry can store an event twice. */
export type ExpectedRevision = 'no_stream' | bigint

export interface NewEvent {
  /** A lower-case UUID derived from the command: repeated appends are recognised. */
  id: string
  type: string
  data: { [key: string]: Json }
  metadata: EventMetadata
}

/** Adapters parse lazily, so a declared class with accessors makes the compiler refuse `{ ...event }`. */
export declare abstract class RecordedEvent implements NewEvent {
  abstract get id(): string
  abstract get type(): string
  abstract get data(): { [key: string]: Json }
  abstract get metadata(): EventMetadata
  abstract get stream(): string
  /** 0 for the first event of the stream. */
  abstract get revision(): bigint
  abstract get position(): Position
}

export type AppendResult =
  /** `repeated`: these ids existed and nothing was written; missed by some adapters when another process writes them concurrently. */
  | { ok: true; revision: bigint; position: Position; repeated: boolean }
  /** `actual` is the stream's revision. */
  | { ok: false; actual: bigint | 'no_stream' }

export interface Filter {
  categories: readonly string[]
}

export interface Batch {
  /** In log order; empty when only `upTo` moved. */
  events: RecordedEvent[]
  /** A safe checkpoint once `events` are processed. */
  upTo: Position
  /** False while catching up. */
  live: boolean
}

/** Bytes of data and metadata; the last event may exceed it. */
export const maxPageBytes = 4 * 1024 * 1024

/**
 * Nothing was written: no event, an id that is no lower-case UUID, a stream that is not `category-id`, an empty, unprintable or long (500
 * characters) name, a negative revision, data that is no JSON object, or more than 1 MiB.
 */
export class InvalidAppend extends LoggableError {
  override name = 'InvalidAppend'
}

/** Text of another kind of log, beyond the end of this one, or between its events. */
export class PositionOfAnotherLog extends LoggableError {
  override name = 'PositionOfAnotherLog'
}

/** A stream from a revision. */
export interface StreamFrom {
  stream: string
  from: bigint
}

/** Conflicts are values; throws `StoreUnavailable` and `InvalidAppend`. */
export interface EventStore {
  /** Atomic; consecutive revisions, increasing positions. */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>

  /** Oldest first, pages of about `maxPageBytes`, at most `max` events; empty for a missing stream. */
  read(stream: string, options?: { from?: bigint; max?: number }): AsyncIterable<RecordedEvent[]>

  /**
   * Events of several streams up to a position of this log, in one question where the server can, each named once: in the order asked, each oldest first, in
   * pages of about `maxPageBytes`. Nothing for a missing stream. Throws `PositionOfAnotherLog` for
   * text of another kind of log.
   */
  readMany(streams: readonly StreamFrom[], upTo: Position): AsyncIterable<RecordedEvent[]>

  /** Newest first, in small pages. */
  readBack(stream: string): AsyncIterable<RecordedEvent[]>

  /** Up to the present end. Throws `PositionOfAnotherLog`, between events only where a category is named. */
  readAll(after: Position, filter: Filter): AsyncIterable<Batch>

  /** Every event of every stream, for copies of the log; up to the present end. Throws `PositionOfAnotherLog`. */
  readWhole(after: Position): AsyncIterable<Batch>

  /** Never ends before the signal aborts: waits while the store is unreachable. */
  subscribe(after: Position, filter: Filter, signal: AbortSignal): AsyncIterable<Batch>

  /**
   * True if the log, as far as this instance follows it, has no event of the stream since; appends of this instance count at once. False
   * if unknown, as before the first subscription. Does not ask the server.
   */
  isUnchanged(stream: string, since: Position): boolean

  metrics?(): readonly Metric[]

  /** Appends in flight settle first. */
  close(): Promise<void>
}
