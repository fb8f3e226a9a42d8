import { beforeAll } from './position.ts'
import { type KeptEvent, keptEvent, placeOfReceived, type Received } from './received.ts'

const maxEvents = 4000
const maxCharacters = 8 * 1024 * 1024

/** The newest events of the log, in memory. */
export interface KeptEvents {
  /** The place up to which events were added. */
  head(): bigint
  /** Forgets all, and sets the place after which the events that are to be added begin. */
  beginAfter(place: bigint): void
  /** Adds what was received; true when some of it is not the server's own. */
  add(received: readonly Received[]): boolean
  /** The events after a place; undefined where those that are kept do not reach that far back. */
  after(place: bigint): readonly KeptEvent[] | undefined
}

export const keptEvents = (): KeptEvents => {
  let events: KeptEvent[] = []
  /** Everything after this place is kept. */
  let from = beforeAll
  let head = beforeAll
  let characters = 0

  const trim = () => {
    let first = events.length
    let kept = 0
    while (first > 0 && events.length - first < maxEvents && kept < maxCharacters) kept += size(events[--first])
    from = events[first - 1]?.place ?? from
    events = events.slice(first)
    characters = kept
  }

  return {
    head: () => head,
    beginAfter: (place) => {
      from = place
      head = place
      events = []
      characters = 0
    },
    add: (received) => {
      let isForUs = false
      for (const each of received) {
        head = placeOfReceived(each)
        // The server's own streams concern nobody here and wake nobody.
        if (each.streamId.startsWith('$')) continue
        const event = keptEvent(each)
        events.push(event)
        characters += size(event)
        isForUs = true
      }
      if (events.length > 2 * maxEvents || characters > 2 * maxCharacters) trim()
      return isForUs
    },
    after: (place) => {
      if (place >= head) return []
      if (place < from) return undefined
      return events.slice(indexAfter(events, place))
    },
  }
}

/** Where the events after a place begin. */
const indexAfter = (events: readonly KeptEvent[], place: bigint): number => {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.place ?? place) > place) high = middle
    else low = middle + 1
  }
  return low
}

const size = (event: KeptEvent | undefined): number => (event ? event.data.length + event.metadata.length : 0)
