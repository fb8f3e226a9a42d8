import { beginning, type EventStore, type Position } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'

/** Latest log position seen by this process. */
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

/** Caches a stream's value; reads again only if the log may hold newer events. */
export const streamCache = <V>(
  { store, seen }: { store: EventStore; seen: SeenLog },
  max: number,
  read: (stream: string, tenant: string) => Promise<V>,
): ((stream: string, tenant: string) => Promise<V>) => {
  const known = lruMap<string, { value: V; tenant: string; asOf: Position }>(max)
  /** Concurrent calls share one read. */
  const reading = new Map<string, { value: Promise<V>; tenant: string; asOf: Position }>()

  const readNow = async (stream: string, tenant: string, asOf: Position) => {
    const value = await read(stream, tenant)
    const found = known.get(stream)
    // A read that began later may have completed first.
    if (!found || found.tenant !== tenant || found.asOf <= asOf) known.set(stream, { value, tenant, asOf })
    return value
  }

  return async (stream, tenant) => {
    const found = known.get(stream)
    if (found && found.tenant === tenant && store.isUnchanged(stream, found.asOf)) return found.value
    // Before reading, which then includes everything up to it.
    const asOf = seen.latest()
    const under = reading.get(stream)
    if (under && under.tenant === tenant && under.asOf === asOf) return under.value
    const value = readNow(stream, tenant, asOf).finally(() => {
      if (reading.get(stream) === current) reading.delete(stream)
    })
    const current = { value, tenant, asOf }
    reading.set(stream, current)
    return value
  }
}
