import type { ExpectedRevision, Position } from '../../event-store/port.ts'
import { lruMap } from '../../lru-map.ts'
import { sizeOf } from '../../size-of.ts'
import { type Entries, hasEntries, trimmed } from './entries.ts'
import { advanceSavePoint, type SavePoint, withLaterSaves } from './save-point.ts'
import type { SavedAt, SavedStream, Snapshots, Unsaved } from './snapshots.ts'

export interface Loaded<S> {
  state: S
  revision: ExpectedRevision
  eventId: string | null
  position: Position | null
  /** Position up to which the stream has no further events. */
  seenTo: Position
  /** Undefined without a first event. */
  tenant: string | null | undefined
  point: SavePoint
}

export interface StateCache<S> {
  get(stream: string): Loaded<S> | undefined
  /** Keeps a state that has moved on from `outdated`. */
  forget(stream: string, outdated: Loaded<S>): void
  /** Caches a state and offers it for saving; returns it with later saves applied. Does not cache older or replaced states. */
  put(stream: string, loaded: Loaded<S>): Loaded<S>
  /** Save within a fold: it grew too large or too costly to lose. */
  isDue(stream: string, loaded: Loaded<S>): boolean
  /** Unchanged on failure, 'outdated' when another process was first. */
  save(stream: string, loaded: Loaded<S>): Promise<Loaded<S> | 'outdated'>
}

export interface StateCacheDeps {
  snapshots: Snapshots | undefined
  savedStream: (stream: string) => SavedStream
  cacheBytes: number
  /** 200 by default: also the maximum to fold at start. */
  eventsBetweenSaves?: number | undefined
}

/** Within a long fold, so that a shutdown loses little. */
const eventsBetweenSavesOfLongFold = 20_000
/** At shutdown. */
const eventsWorthSaving = 10
/** A large saved state must not evict all others. */
const maxShare = 1 / 8
const overheadBytes = 400
const maxMissed = 10_000

export const withEntries = <S>(loaded: Loaded<S>, change: (entries: Entries) => Entries): Loaded<S> =>
  hasEntries(loaded.state) ? { ...loaded, state: { ...loaded.state, entries: change(loaded.state.entries) } } : loaded

const lengthOf = ({ revision }: Pick<Loaded<unknown>, 'revision'>) =>
  revision === 'no_stream' ? 0 : Number(revision) + 1

const unsavedEvents = (loaded: Loaded<unknown>) => {
  const { saved } = loaded.point
  return lengthOf(loaded) - (saved === undefined ? 0 : Number(saved.revision) + 1)
}

const unsavedOf = <S>({ state, revision, eventId, position, tenant, point }: Loaded<S>): Unsaved | undefined => {
  if (revision === 'no_stream' || eventId === null || position === null || typeof tenant !== 'string') return undefined
  return { head: { revision, eventId, position, tenant }, state, saved: point.saved }
}

const note = (loaded: Loaded<unknown>, saved: SavedAt | 'superseded') => {
  const changed = hasEntries(loaded.state) ? loaded.state.entries.changed : undefined
  advanceSavePoint(loaded.point, saved === 'superseded' ? saved : { saved, changed })
}

/** Picks between states from different reads of the table. */
const chosen = <S>(known: Loaded<S>, loaded: Loaded<S>): Loaded<S> | undefined => {
  const [before, after] = [known.point.saved, loaded.point.saved]
  if (!before) return loaded
  if (!after) return known
  // One lineage is deleted by now; the table knows which.
  if (before.lineage !== after.lineage) return undefined
  return after.revision >= before.revision ? loaded : known
}

const sizedCache = <S>(cacheBytes: number, eventsBetweenSaves: number) => {
  const maxBytes = cacheBytes * maxShare
  const cache = lruMap<string, { loaded: Loaded<S>; bytes: number }>(cacheBytes, (_, { bytes }) => bytes)

  const withoutSurplus = (loaded: Loaded<S>) => {
    const { saved } = loaded.point
    // After a clearing the table holds old entries.
    return withEntries(loaded, (entries) =>
      saved?.clearings === entries.clearings ? trimmed(entries, maxBytes / 2) : entries,
    )
  }

  const keep = (stream: string, given: Loaded<S>) => {
    const loaded = withoutSurplus(given)
    const bytes = overheadBytes + 2 * stream.length + sizeOf(loaded.state)
    // Evicting unsaved work would mean a fold per command.
    const max = unsavedEvents(loaded) < eventsBetweenSaves ? maxBytes : cacheBytes
    if (bytes > max) cache.delete(stream)
    else cache.set(stream, { loaded, bytes })
    return loaded
  }

  /** Half of what one state may take waits to be saved. */
  const isLarge = ({ state }: Loaded<S>) => hasEntries(state) && state.entries.changedBytes > maxBytes / 2

  return { cache, keep, withoutSurplus, isLarge }
}

export const stateCache = <S>(deps: StateCacheDeps): StateCache<S> => {
  const { snapshots, savedStream, cacheBytes, eventsBetweenSaves = 200 } = deps
  const { cache, keep, withoutSurplus, isLarge } = sizedCache<S>(cacheBytes, eventsBetweenSaves)
  /** Evicted before the save: the next fold saves them. */
  const missed = lruMap<string, true>(maxMissed)

  const get = (stream: string): Loaded<S> | undefined => {
    const found = cache.get(stream)?.loaded
    if (!found?.point.next) return found
    const loaded = withLaterSaves(found)
    if (loaded) return keep(stream, loaded)
    cache.delete(stream)
    return undefined
  }

  const offer = (stream: string, maxUnsaved: number) => {
    let captured: Loaded<S> | undefined
    snapshots?.saveLater(
      savedStream(stream),
      () => {
        captured = get(stream)
        if (!captured) missed.set(stream, true)
        return captured && unsavedEvents(captured) >= maxUnsaved ? unsavedOf(captured) : undefined
      },
      (saved) => {
        if (captured) note(captured, saved)
        // Frees memory also without commands.
        get(stream)
      },
    )
  }

  snapshots?.beforeEnd(() => {
    for (const stream of cache.keys()) {
      const loaded = get(stream)
      if (loaded && unsavedEvents(loaded) >= eventsWorthSaving) offer(stream, eventsWorthSaving)
    }
  })

  const put = (stream: string, given: Loaded<S>): Loaded<S> => {
    const loaded = withLaterSaves(given)
    if (!loaded || loaded.revision === 'no_stream') return given
    const known = get(stream)
    // A reader may return later than a newer command.
    if (known && lengthOf(known) > lengthOf(loaded)) return loaded
    const chosenState = known && known.point !== loaded.point ? chosen(known, loaded) : loaded
    if (!chosenState) cache.delete(stream)
    if (chosenState !== loaded) return loaded
    const cached = keep(stream, loaded)
    if (unsavedEvents(cached) >= eventsBetweenSaves) offer(stream, eventsBetweenSaves)
    return cached
  }

  return {
    get,
    forget(stream, outdated) {
      advanceSavePoint(outdated.point, 'superseded')
      const known = get(stream)
      // A newer state is checked by itself.
      if (known && lengthOf(known) <= lengthOf(outdated)) cache.delete(stream)
    },
    put,
    isDue(stream, loaded) {
      const isPressing = isLarge(loaded) || missed.get(stream) === true
      const unsaved = unsavedEvents(loaded)
      return unsaved >= eventsBetweenSavesOfLongFold || (isPressing && unsaved >= eventsBetweenSaves)
    },
    async save(stream, loaded) {
      const unsaved = snapshots && unsavedOf(loaded)
      const saved = unsaved && (await snapshots.save(savedStream(stream), unsaved))
      if (saved === undefined) return loaded
      missed.delete(stream)
      note(loaded, saved)
      const after = withLaterSaves(loaded)
      return after ? withoutSurplus(after) : 'outdated'
    },
  }
}
