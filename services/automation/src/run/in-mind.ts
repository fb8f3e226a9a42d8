import { beginning, type EventStore, type Position } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'

/** How far in the log this process is known to have seen, for what is read after that. */
export interface SeenLog {
  note(position: Position | null): void
  latest(): Position
}

export const seenLog = (): SeenLog => {
  let latest = beginning
  return {
    note(position) {
      if (position !== null && position > latest) latest = position
    },
    latest: () => latest,
  }
}

/** What was made of a stream, read again only where the log may hold something newer: a step costs no statement more. */
export const inMind = <V>(
  { store, seen }: { store: EventStore; seen: SeenLog },
  max: number,
  read: (stream: string, owner: string) => Promise<V>,
): ((stream: string, owner: string) => Promise<V>) => {
  const known = lruMap<string, { value: V; owner: string; asOf: Position }>(max)
  /** What is being read now: of many that ask at once, one reads. */
  const reading = new Map<string, { value: Promise<V>; owner: string; asOf: Position }>()

  const readNow = async (stream: string, owner: string, asOf: Position) => {
    const value = await read(stream, owner)
    const found = known.get(stream)
    // One that began later may have ended before.
    if (!found || found.owner !== owner || found.asOf <= asOf) known.set(stream, { value, owner, asOf })
    return value
  }

  return async (stream, owner) => {
    const found = known.get(stream)
    if (found && found.owner === owner && store.isUnchanged?.(stream, found.asOf)) return found.value
    // Before it is read: what is committed up to there is among what is read.
    const asOf = seen.latest()
    const under = reading.get(stream)
    if (under && under.owner === owner && under.asOf === asOf) return under.value
    const value = readNow(stream, owner, asOf).finally(() => {
      if (reading.get(stream) === current) reading.delete(stream)
    })
    const current = { value, owner, asOf }
    reading.set(stream, current)
    return value
  }
}
