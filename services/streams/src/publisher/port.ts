import type { Position } from '@prosa/kernel/event-store/port'
import { LoggableError } from '@prosa/kernel/loggable-error'

/** An event as it stands in a topic: CloudEvents 1.0, binary mode. */
export interface TopicRecord {
  /** Records of one key stay in order. */
  key: string
  /** JSON. */
  value: string
  headers: Readonly<Record<string, string>>
  position: Position
  /** Milliseconds since 1970: consumers seek by it, and retention counts from it. */
  timestamp: number
}

/** The header that the last record of a partition is read for. */
export const positionHeader = 'ce_position'
/** Id of the log that a record is of (decision 0062). */
export const logHeader = 'prosa_log'

/** Names of the two headers that say what a topic holds. */
export interface Marks {
  position: string
  log: string
}
export const logMarks: Marks = { position: positionHeader, log: logHeader }

export interface LastRecord {
  position: Position
  logId: string | undefined
  headers: Readonly<Record<string, string>>
}

/** Messages name topics, partitions and Kafka's error types only. */
export class PublishingFailed extends LoggableError {
  override name = 'PublishingFailed'
}

/** Others wrote to the end of the topic: what it holds of ours is not known. */
export class OtherWriterRecords extends PublishingFailed {
  override name = 'OtherWriterRecords'
}

/** One writer a topic, else the order and the positions below mean nothing. After a failure it only fails: open another. */
export interface TopicWriter {
  /** True if no record was ever written to the topic, or it was created just now. */
  isNew: boolean
  /** The furthest record that the topic held at the opening; undefined without one. */
  furthest: LastRecord | undefined
  /** Records that were ever written to the topic, at the opening. */
  records: bigint
  /** Position of the last record where those of this key go, at the opening; undefined where there is none, or no more. */
  lastPosition(key: string): Position | undefined
  /**
   * In the order of the log. Resolves when every in-sync replica has them; a repeated request adds nothing. Throws `PublishingFailed`:
   * any part may have been written. The signal ends the retries.
   */
  write(records: readonly TopicRecord[], signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface Publisher {
  /** Creates the topic where it is missing. Throws `PublishingFailed`. */
  open(topic: string): Promise<TopicWriter>
}
