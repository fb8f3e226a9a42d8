import { beforeAll } from './position.ts'
import { type CachedEvent, cachedEvent, numericPositionOfReceived, type Received } from './received.ts'

const maxEvents = 4000
const maxCharacters = 8 * 1024 * 1024

/** The newest events of the log, in memory. */
export interface EventCache {
  head(): bigint
  /** Clears the cache. */
  beginAfter(numericPosition: bigint): void
  /** True when some events are not the server's own. */
  add(received: readonly Received[]): boolean
  /** Undefined where the cache does not reach back. */
  after(numericPosition: bigint): readonly CachedEvent[] | undefined
  /** An event that will be received later, or was. */
  expect(stream: string, numericPosition: bigint): void
  /** True when all events since are cached or lie ahead, and none known is of this stream. */
  isUnchanged(stream: string, since: bigint): boolean
}

export const eventCache = (): EventCache => {
  let events: CachedEvent[] = []
  let from = beforeAll
  let head = beforeAll
  let characters = 0
  let lastPositions = new Map<string, bigint>()

  const trim = () => {
    let first = events.length
    let cachedSize = 0
    while (first > 0 && events.length - first < maxEvents && cachedSize < maxCharacters)
      cachedSize += size(events[--first])
    from = events[first - 1]?.numericPosition ?? from
    for (const { stream, numericPosition } of events.slice(0, first))
      if (lastPositions.get(stream) === numericPosition) lastPositions.delete(stream)
    events = events.slice(first)
    characters = cachedSize
  }

  return {
    head: () => head,
    beginAfter: (numericPosition) => {
      from = numericPosition
      head = numericPosition
      events = []
      characters = 0
      lastPositions = new Map()
    },
    add: (received) => {
      let isForUs = false
      for (const each of received) {
        head = numericPositionOfReceived(each)
        if (each.streamId.startsWith('$')) continue
        const event = cachedEvent(each)
        events.push(event)
        if ((lastPositions.get(event.stream) ?? from) < event.numericPosition)
          lastPositions.set(event.stream, event.numericPosition)
        characters += size(event)
        isForUs = true
      }
      if (events.length > 2 * maxEvents || characters > 2 * maxCharacters) trim()
      return isForUs
    },
    after: (numericPosition) => {
      if (numericPosition >= head) return []
      if (numericPosition < from) return undefined
      return events.slice(indexAfter(events, numericPosition))
    },
    expect: (stream, numericPosition) => {
      if (numericPosition > head && numericPosition > (lastPositions.get(stream) ?? head))
        lastPositions.set(stream, numericPosition)
    },
    isUnchanged: (stream, since) => since >= from && (lastPositions.get(stream) ?? beforeAll) <= since,
  }
}

const indexAfter = (events: readonly CachedEvent[], numericPosition: bigint): number => {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.numericPosition ?? numericPosition) > numericPosition) high = middle
    else low = middle + 1
  }
  return low
}

const size = (event: CachedEvent | undefined): number => (event ? event.data.length + event.metadata.length : 0)
