import type { EventMetadata } from '@prosa/contracts/events/metadata'
import type { Json } from '../json.ts'
import { LoggableError } from '../loggable-error.ts'
import type { Metric } from '../observability/metric.ts'

/**
 * A place in the whole log. Text that sorts (byte by byte) as the log does, so that it can be stored, printed and compared
 * anywhere; nothing else may be read into it. `beginning` sorts before every event.
 */
export type Position = string & { readonly position: unique symbol }

export const beginning = '' as Position

/** What the writer believes of the stream. There is no "any": a retry of it can store an event twice. */
export type ExpectedRevision = 'no_stream' | bigint

export interface NewEvent {
  /** A UUID in lower case; the caller derives it from the command, so that a repeated append is recognised. */
  id: string
  type: string
  data: { [key: string]: Json }
  metadata: EventMetadata
}

/**
 * An event as a store gives it. Some adapters read its fields where somebody asks for them, so that `{ ...event }` has none of them: declared
 * as a class with accessors, which the compiler does not copy, it cannot be spread by mistake. Any object with these fields is one.
 */
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
  /**
   * Position and revision of the last event; `repeated` when these ids are known to have stood there already and nothing was
   * written. An adapter whose server does not report it may miss it where another process wrote them in that very moment.
   */
  | { ok: true; revision: bigint; position: Position; repeated: boolean }
  /** Somebody else wrote first; `actual` is where the stream stands. */
  | { ok: false; actual: bigint | 'no_stream' }

export interface Filter {
  /** Only streams of these categories (`category-id`). */
  categories: readonly string[]
}

export interface Batch {
  /** In log order; empty when only `upTo` moved. */
  events: RecordedEvent[]
  /** Everything that matches up to here has been handed out: safe to store once `events` are processed. */
  upTo: Position
  /** False while catching up; true once the subscription had reached the end of the log. */
  live: boolean
}

/** How much data and metadata of events a page of `read` holds; one event more may reach beyond it. */
export const maxPageBytes = 4 * 1024 * 1024

/**
 * Refused, nothing was written: no event, an id that is no UUID in lower case, a stream that is not `category-id`, an empty or
 * unprintable name (or one over 500 characters), a negative revision, data that is no JSON object, or more than 1 MiB.
 */
export class InvalidAppend extends LoggableError {
  override name = 'InvalidAppend'
}

/**
 * The log. Conflicts are values; an unreachable store throws `StoreUnavailable`; a malformed append throws
 * `InvalidAppend`. The guarantees are those of `event-store.contract.ts`, which every adapter passes whole.
 */
export interface EventStore {
  /** Stores all events or none, in order, at consecutive revisions and increasing positions. */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>

  /**
   * The events of one stream from `from` (default 0) on, oldest first, in pages of `maxPageBytes` about; nothing for a stream that
   * does not exist. With `most` no more than so many.
   */
  read(stream: string, options?: { from?: bigint; max?: number }): AsyncIterable<RecordedEvent[]>

  /** The same from the last event on, newest first, in small pages. */
  readBack(stream: string): AsyncIterable<RecordedEvent[]>

  /**
   * What is in the log now after a position, in log order, in pages; ends at the end of the log. Throws on a position that
   * this log cannot have printed.
   */
  readAll(after: Position, filter: Filter): AsyncIterable<Batch>

  /** As `readAll`, then every new event as it is committed, until the signal aborts; survives a lost store by waiting for it. */
  subscribe(after: Position, filter: Filter, signal: AbortSignal): AsyncIterable<Batch>

  /**
   * Whether this process has followed the log from a place on and met no event of this stream: answered from memory, without
   * asking the server. False where that is not known.
   */
  isUnchanged?(stream: string, since: Position): boolean

  /** What the adapter counts of itself, for metrics. */
  metrics?(): readonly Metric[]

  /** Ends connections; appends in flight settle first. */
  close(): Promise<void>
}
