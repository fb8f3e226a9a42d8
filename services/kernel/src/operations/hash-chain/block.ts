import { createHash } from 'node:crypto'
import { textOf } from '../../event-store/move/log-digest.ts'
import type { Position, RecordedEvent } from '../../event-store/port.ts'

/** A range of the log and its digest, chained to the one before. */
export interface Block {
  logId: string
  /** From 1 on. */
  number: number
  /** UTC, `2026-11-27`: when it was made. */
  day: string
  /** Exclusive. */
  after: Position
  /** Inclusive. */
  upTo: Position
  events: number
  /** Of the entries of its events, hexadecimal. */
  sha256: string
  /** SHA-256 over all of the above and the head before, hexadecimal. */
  head: string
}

/** Before the first block. */
export const noHead = ''

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A line for an event: position, id, SHA-256 of stream, revision, id, type, data and metadata as stored. */
export const entryOf = (event: RecordedEvent): string => `${event.position} ${event.id} ${sha256(textOf(event))}\n`

export const digestOf = (entries: readonly string[]): string => sha256(entries.join(''))

export const headOf = (
  previous: string,
  { logId, number, day, after, upTo, events, sha256: digest }: Omit<Block, 'head'>,
) => sha256(JSON.stringify([previous, logId, number, day, after, upTo, events, digest]))

/** Names of the entries of a block in the store of files. */
export const nameOfEntries = (logId: string, number: number): string =>
  `log-blocks/${logId}/${String(number).padStart(8, '0')}`
