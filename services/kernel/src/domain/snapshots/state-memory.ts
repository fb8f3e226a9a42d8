import type { ExpectedRevision, Position } from '../../event-store/port.ts'
import { lruMap } from '../../lru-map.ts'
import { sizeOf } from '../../size-of.ts'
import { type Entries, hasEntries, trimmed, withSaved } from './entries.ts'
import type { SavedAt, SavedStream, Snapshots, Unsaved } from './snapshots.ts'

export interface Loaded<S> {
  state: S
  revision: ExpectedRevision
  /** The id of the last event; null while there is none. */
  eventId: string | null
  position: Position | null
  /** Up to where in the log the stream is known to hold no more than this. */
  seenTo: Position
  /** The tenant of the stream's first event; undefined while there is none. */
  owner: string | null | undefined
  /** What of it is in the table; undefined: nothing. */
  saved: SavedAt | undefined
}

/** The states that this process has in memory, and their way into the table. */
export interface StateMemory<S> {
  get(stream: string): Loaded<S> | undefined
  forget(stream: string): void
  /** Keeps a state, and offers it to be saved once enough has happened since it last was. Answers it as it is kept. */
  remember(stream: string, loaded: Loaded<S>): Loaded<S>
  /** Whether it is to be saved in the middle of a fold: what was folded needs too much room, or was too much work to be lost. */
  isDue(loaded: Loaded<S>): boolean
  /** Saves now; unchanged where that failed, 'outdated' where another process was quicker. */
  save(stream: string, loaded: Loaded<S>): Promise<Loaded<S> | 'outdated'>
}

/** So many events are folded with every start, and written behind once more have come. */
const eventsBetweenSaves = 200
/** In a fold from the beginning, so often: what was folded when a process ends need not be folded again. */
const eventsBetweenSavesOfLongFold = 20_000
/** Of a process that ends, what is worth saving. */
const eventsWorthSaving = 10
/** No state takes more than this share of the memory: a large one must not drive all others out. */
const largestShare = 1 / 8
/** What a map keeps beside the state. */
const overheadBytes = 400

export const withEntries = <S>(loaded: Loaded<S>, change: (entries: Entries) => Entries): Loaded<S> =>
  hasEntries(loaded.state) ? { ...loaded, state: { ...loaded.state, entries: change(loaded.state.entries) } } : loaded

const lengthOf = ({ revision }: Pick<Loaded<unknown>, 'revision'>) =>
  revision === 'no_stream' ? 0 : Number(revision) + 1

const unsavedEvents = (loaded: Loaded<unknown>) =>
  lengthOf(loaded) - (loaded.saved === undefined ? 0 : Number(loaded.saved.revision) + 1)

/** The state after what was captured from it has been saved. */
const afterSaving = <S>(now: Loaded<S>, captured: Loaded<S>, saved: SavedAt): Loaded<S> => {
  const changed = hasEntries(captured.state) ? captured.state.entries.changed : undefined
  const loaded = { ...now, saved }
  return changed ? withEntries(loaded, (entries) => withSaved(entries, changed)) : loaded
}

const unsavedOf = <S>({ state, revision, eventId, position, owner, saved }: Loaded<S>): Unsaved | undefined => {
  if (revision === 'no_stream' || eventId === null || position === null || typeof owner !== 'string') return undefined
  return { standing: { revision, eventId, position, owner }, state, saved }
}

export const stateMemory = <S>(
  snapshots: Snapshots | undefined,
  savedStream: (stream: string) => SavedStream,
  rememberedBytes: number,
): StateMemory<S> => {
  const largest = rememberedBytes * largestShare
  const cache = lruMap<string, { loaded: Loaded<S>; bytes: number }>(rememberedBytes, (_, { bytes }) => bytes)
  const withoutSurplus = (loaded: Loaded<S>) =>
    loaded.saved ? withEntries(loaded, (entries) => trimmed(entries, largest / 2)) : loaded

  const keep = (stream: string, given: Loaded<S>) => {
    const loaded = withoutSurplus(given)
    const bytes = overheadBytes + 2 * stream.length + sizeOf(loaded.state)
    if (bytes > largest) cache.delete(stream)
    else cache.set(stream, { loaded, bytes })
    return loaded
  }

  const offer = (stream: string) => {
    let captured: Loaded<S> | undefined
    snapshots?.saveLater(
      savedStream(stream),
      () => {
        captured = cache.get(stream)?.loaded
        return captured && unsavedOf(captured)
      },
      (saved) => {
        const now = cache.get(stream)?.loaded
        if (!now || !captured) return
        // Whatever was fetched or saved for another lineage no longer fits.
        const isBehind = lengthOf(now) < lengthOf(captured)
        if (saved === 'superseded' || now.saved !== captured.saved || isBehind) cache.delete(stream)
        else keep(stream, afterSaving(now, captured, saved))
      },
    )
  }

  snapshots?.beforeEnd(() => {
    for (const stream of cache.keys()) {
      const loaded = cache.get(stream)?.loaded
      if (loaded && unsavedEvents(loaded) >= eventsWorthSaving) offer(stream)
    }
  })

  const remember = (stream: string, loaded: Loaded<S>): Loaded<S> => {
    const known = cache.get(stream)?.loaded
    // Whoever only looked may come back later than a command that has gone on from there.
    if (loaded.revision === 'no_stream' || (known && lengthOf(known) > lengthOf(loaded))) return loaded
    const kept = keep(stream, loaded)
    if (unsavedEvents(kept) >= eventsBetweenSaves) offer(stream)
    return kept
  }

  return {
    get: (stream) => cache.get(stream)?.loaded,
    forget: cache.delete,
    remember,
    isDue(loaded) {
      const unsaved = unsavedEvents(loaded)
      const isLarge = hasEntries(loaded.state) && loaded.state.entries.bytes > largest / 2
      return unsaved >= eventsBetweenSavesOfLongFold || (isLarge && unsaved >= eventsBetweenSaves)
    },
    async save(stream, loaded) {
      const unsaved = snapshots && unsavedOf(loaded)
      const saved = unsaved && (await snapshots.save(savedStream(stream), unsaved))
      if (saved === undefined) return loaded
      return saved === 'superseded' ? 'outdated' : withoutSurplus(afterSaving(loaded, loaded, saved))
    },
  }
}
