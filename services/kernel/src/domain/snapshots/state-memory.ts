import type { ExpectedRevision, Position } from '../../event-store/port.ts'
import { lruMap } from '../../lru-map.ts'
import { sizeOf } from '../../size-of.ts'
import { type Entries, hasEntries, trimmed } from './entries.ts'
import { caughtUp, leadOn, type SavePoint } from './save-point.ts'
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
  /** What of it is in the table. */
  point: SavePoint
}

/** The states that this process has in memory, and their way into the table. */
export interface StateMemory<S> {
  get(stream: string): Loaded<S> | undefined
  /** Drops what is in memory of a stream, unless it has gone on from this state, which showed that another process has saved more. */
  forget(stream: string, outdated: Loaded<S>): void
  /**
   * Keeps a state, and offers it to be saved once enough has happened since it last was. Answers it with what was saved since it was made. One
   * that is behind what is in memory, or belongs to what another process has replaced, is not kept.
   */
  remember(stream: string, loaded: Loaded<S>): Loaded<S>
  /** Whether it is to be saved in the middle of a fold: what was folded needs too much room, or was too much work to be lost. */
  isDue(stream: string, loaded: Loaded<S>): boolean
  /** Saves now; unchanged where that failed, 'outdated' where another process was quicker. */
  save(stream: string, loaded: Loaded<S>): Promise<Loaded<S> | 'outdated'>
}

export interface StateMemoryDeps {
  snapshots: Snapshots | undefined
  savedStream: (stream: string) => SavedStream
  rememberedBytes: number
  /** So many events are folded with every start, and written behind once more have come; 200 by default. */
  eventsBetweenSaves?: number | undefined
}

/** In a fold from the beginning, so often: what was folded when a process ends need not be folded again. */
const eventsBetweenSavesOfLongFold = 20_000
/** Of a process that ends, what is worth saving. */
const eventsWorthSaving = 10
/** No state that can be had from the table takes more than this share of the memory: a large one must not drive all others out. */
const largestShare = 1 / 8
/** What a map keeps beside the state. */
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

const unsavedOf = <S>({ state, revision, eventId, position, owner, point }: Loaded<S>): Unsaved | undefined => {
  if (revision === 'no_stream' || eventId === null || position === null || typeof owner !== 'string') return undefined
  return { standing: { revision, eventId, position, owner }, state, saved: point.saved }
}

/** What was saved of `loaded`, or that it was superseded, for every state that was made of the same. */
const note = (loaded: Loaded<unknown>, saved: SavedAt | 'superseded') => {
  const changed = hasEntries(loaded.state) ? loaded.state.entries.changed : undefined
  leadOn(loaded.point, saved === 'superseded' ? saved : { saved, changed })
}

/** Of two states of one stream that go back to different readings of the table, the one to keep. */
const chosen = <S>(known: Loaded<S>, loaded: Loaded<S>): Loaded<S> | undefined => {
  const [before, after] = [known.point.saved, loaded.point.saved]
  if (!before) return loaded
  if (!after) return known
  // One of them is thrown away by now; the table shows which.
  if (before.lineage !== after.lineage) return undefined
  return after.revision >= before.revision ? loaded : known
}

export const stateMemory = <S>({
  snapshots,
  savedStream,
  rememberedBytes,
  eventsBetweenSaves = 200,
}: StateMemoryDeps): StateMemory<S> => {
  const largest = rememberedBytes * largestShare
  const cache = lruMap<string, { loaded: Loaded<S>; bytes: number }>(rememberedBytes, (_, { bytes }) => bytes)
  /** Streams whose state was driven out before the writer got to it: it is saved by whoever folds it next. */
  const missed = lruMap<string, true>(maxMissed)

  const withoutSurplus = (loaded: Loaded<S>) => {
    const { saved } = loaded.point
    // After all was thrown away, what is in the table is of before.
    return withEntries(loaded, (entries) =>
      saved?.clearings === entries.clearings ? trimmed(entries, largest / 2) : entries,
    )
  }

  const keep = (stream: string, given: Loaded<S>) => {
    const loaded = withoutSurplus(given)
    const bytes = overheadBytes + 2 * stream.length + sizeOf(loaded.state)
    // What is not in the table would have to be folded again for each command.
    const max = unsavedEvents(loaded) < eventsBetweenSaves ? largest : rememberedBytes
    if (bytes > max) cache.delete(stream)
    else cache.set(stream, { loaded, bytes })
    return loaded
  }

  const get = (stream: string): Loaded<S> | undefined => {
    const found = cache.get(stream)?.loaded
    if (!found?.point.next) return found
    const loaded = caughtUp(found)
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
        // Catches up, so that its memory is given back also where no command comes.
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

  const remember = (stream: string, given: Loaded<S>): Loaded<S> => {
    const loaded = caughtUp(given)
    if (!loaded || loaded.revision === 'no_stream') return given
    const known = get(stream)
    // Whoever only looked may come back later than a command that has gone on from there.
    if (known && lengthOf(known) > lengthOf(loaded)) return loaded
    const kept = known && known.point !== loaded.point ? chosen(known, loaded) : loaded
    if (!kept) cache.delete(stream)
    if (kept !== loaded) return loaded
    const remembered = keep(stream, loaded)
    if (unsavedEvents(remembered) >= eventsBetweenSaves) offer(stream, eventsBetweenSaves)
    return remembered
  }

  return {
    get,
    forget(stream, outdated) {
      leadOn(outdated.point, 'superseded')
      const known = get(stream)
      // One that has gone on meanwhile is asked itself.
      if (known && lengthOf(known) <= lengthOf(outdated)) cache.delete(stream)
    },
    remember,
    isDue(stream, loaded) {
      const unsaved = unsavedEvents(loaded)
      const isLarge = hasEntries(loaded.state) && loaded.state.entries.changedBytes > largest / 2
      const isPressing = isLarge || missed.get(stream) === true
      return unsaved >= eventsBetweenSavesOfLongFold || (isPressing && unsaved >= eventsBetweenSaves)
    },
    async save(stream, loaded) {
      const unsaved = snapshots && unsavedOf(loaded)
      const saved = unsaved && (await snapshots.save(savedStream(stream), unsaved))
      if (saved === undefined) return loaded
      missed.delete(stream)
      note(loaded, saved)
      const after = caughtUp(loaded)
      return after ? withoutSurplus(after) : 'outdated'
    },
  }
}
