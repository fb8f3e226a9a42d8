import { createHash } from 'node:crypto'
import { allEvents } from '@prosa/contracts/events/all-events'
import { catalogue } from '@prosa/contracts/published/catalogue'
import type { Category } from '@prosa/contracts/streams'
import {
  beginning,
  type EventStore,
  type Filter,
  type Position,
  type RecordedEvent,
} from '@prosa/kernel/event-store/port'

/** Which published events: all of these hold. Empty lists: all of them. */
export interface Range {
  services: readonly string[]
  /** Of CloudEvents, `prosa.contacts.message-received.v1`. */
  types: readonly string[]
  /** Positions of the log, as in `ce_position`: behind the first, up to the second. */
  after: Position | undefined
  upTo: Position | undefined
  /** Recorded at the first or later, and before the second. */
  since: string | undefined
  until: string | undefined
}

export interface SelectedEvents extends Filter {
  categories: readonly Category[]
  from: Position
  isSelected(event: RecordedEvent): boolean
}

/** The range or the topic does not fit: a sentence, which repeating would not change. */
export class CannotBackfill extends Error {
  override name = 'CannotBackfill'
}

/** Throws `CannotBackfill` with the names that the catalogue does not have. */
export const selectionOf = ({ services, types, after, upTo, since, until }: Range): SelectedEvents => {
  const unknown = [
    ...services.filter((service) => !catalogue.some((entry) => entry.service === service)),
    ...types.filter((type) => !catalogue.some((entry) => entry.type === type)),
  ]
  if (unknown.length > 0) throw new CannotBackfill(`Nothing of this name is published: ${unknown.join(', ')}.`)
  const entries = catalogue.filter(
    ({ service, type }) =>
      (services.length === 0 || services.includes(service)) && (types.length === 0 || types.includes(type)),
  )
  const stored = new Set<string>(entries.map(({ from }) => from))
  return {
    categories: [...new Set(entries.map(({ category }) => category))],
    from: after ?? beginning,
    isSelected({ type, position, metadata: { recordedAt } }) {
      // One of a later release may be published by it: all are counted, and stop the writing there.
      if (!stored.has(type) && (types.length > 0 || Object.hasOwn(allEvents, type))) return false
      if (upTo !== undefined && position > upTo) return false
      return (since === undefined || recordedAt >= since) && (until === undefined || recordedAt < until)
    },
  }
}

/** Equal for the same range of the same log. */
export const fingerprintOf = (range: Range, logId: string | undefined): string => {
  const { services, types, after, upTo, since, until } = range
  const words = [logId, services.toSorted(), types.toSorted(), after, upTo, since, until]
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32)
}

export interface Measured {
  events: number
  /** Of the last event of the range, or the end of the log. */
  end: Position
}

/** Reads the range without decoding. Throws `PositionOfAnotherLog`. */
export const measureRange = async (
  store: EventStore,
  selected: SelectedEvents,
  upTo: Position | undefined,
  signal: AbortSignal,
): Promise<Measured> => {
  let [events, end] = [0, selected.from]
  for await (const batch of store.readAll(selected.from, { categories: selected.categories })) {
    for (const event of batch.events) {
      if (upTo !== undefined && event.position > upTo) break
      if (selected.isSelected(event)) events++
      end = event.position
    }
    if (signal.aborted || (upTo !== undefined && batch.upTo >= upTo)) break
  }
  return { events, end }
}
