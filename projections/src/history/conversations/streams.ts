import type { EventStore, Position, RecordedEvent } from '@prosa/kernel/event-store/port'

/** Events of one stream around a moment; `end`: the first revision that is not before it. */
export interface StreamWindow {
  end: number
  /** By revision. */
  recorded: readonly RecordedEvent[]
}

const lengthOf = async (store: EventStore, stream: string): Promise<number> => {
  for await (const [newest] of store.readBack(stream)) if (newest) return Number(newest.revision) + 1
  return 0
}

const readRange = async (store: EventStore, stream: string, from: number, to: number): Promise<RecordedEvent[]> => {
  const found: RecordedEvent[] = []
  if (to > from)
    for await (const page of store.read(stream, { from: BigInt(from), max: to - from })) found.push(...page)
  return found
}

/** By halving: 16 single reads in a conversation of 50,000 events, whichever page it is. */
const revisionAt = async (store: EventStore, stream: string, before: Position, length: number): Promise<number> => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [event] = await readRange(store, stream, middle, middle + 1)
    if (event && event.position < before) low = middle + 1
    else high = middle
  }
  return low
}

/** At most `size + near` events before the position, or the end of the stream, and `near` after. */
export const readWindow = async (
  store: EventStore,
  stream: string,
  { before, size, near }: { before: Position | undefined; size: number; near: number },
): Promise<StreamWindow> => {
  const length = await lengthOf(store, stream)
  const end = before === undefined ? length : await revisionAt(store, stream, before, length)
  const recorded = await readRange(store, stream, Math.max(0, end - size - near), Math.min(length, end + near))
  return { end, recorded }
}
