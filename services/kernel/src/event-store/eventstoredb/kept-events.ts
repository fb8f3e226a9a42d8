import { beforeAll } from './position.ts'
import { type KeptEvent, keptEvent, placeOfReceived, type Received } from './received.ts'

const maxEvents = 4000
const maxCharacters = 8 * 1024 * 1024

/** The newest events of the log, in memory. */
export interface KeptEvents {
  head(): bigint
  /** Clears the cache. */
  beginAfter(place: bigint): void
  /** True when some events are not the server's own. */
  add(received: readonly Received[]): boolean
  /** Undefined where the cache does not reach back. */
  after(place: bigint): readonly KeptEvent[] | undefined
}

export const keptEvents = (): KeptEvents => {
  let events: KeptEvent[] = []
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
