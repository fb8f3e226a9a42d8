import type { Typed } from '../decider.ts'
import { hasEntries, missingOf, NotAtHand, withAllFetched, withFetched } from './entries.ts'
import type { SavedStream, Snapshots } from './snapshots.ts'
import { type Loaded, withEntries } from './state-cache.ts'

/** From here on fetching all entries is cheaper. */
const maxFetchedAtOnce = 2000

export interface AskState<S> {
  /** Fetches the missing entries first; 'outdated' when another process has saved more. */
  ask<T>(
    stream: string,
    loaded: Loaded<S>,
    message: Typed | undefined,
    question: (state: S) => T,
  ): Promise<{ loaded: Loaded<S>; answer: T } | 'outdated'>
  withEntriesOf(stream: string, loaded: Loaded<S>, messages: readonly Typed[]): Promise<Loaded<S> | 'outdated'>
}

interface Deps<S> {
  snapshots: Snapshots | undefined
  savedStream: (stream: string) => SavedStream
  saving: SavedStream['saving'] | undefined
  /** Called when another process has saved a later state. */
  forget: (stream: string, outdated: Loaded<S>) => void
}

export const askState = <S>({ snapshots, savedStream, saving, forget }: Deps<S>): AskState<S> => {
  /** 'outdated' when another process has saved more than was read here. */
  const fetch = async (stream: string, loaded: Loaded<S>, keys: readonly string[]): Promise<Loaded<S> | 'outdated'> => {
    const { saved } = loaded.point
    if (!snapshots || !saving || !saved || !hasEntries(loaded.state)) throw new NotAtHand(keys)
    const isSmall = loaded.state.entries.count <= maxFetchedAtOnce && !saving.entries?.isKeyPersonal
    const wanted = isSmall ? 'all' : [...new Set(keys)]
    const read = await snapshots.entries(savedStream(stream), saved.lineage, wanted)
    if (!read || loaded.revision === 'no_stream' || read.revision > loaded.revision) {
      forget(stream, loaded)
      return 'outdated'
    }
    return withEntries(loaded, (entries) =>
      isSmall ? withAllFetched(entries, read.found) : withFetched(entries, read.found),
    )
  }

  const withEntriesOf: AskState<S>['withEntriesOf'] = async (stream, loaded, messages) => {
    if (!hasEntries(loaded.state)) return loaded
    const keys = messages.flatMap((message) => saving?.entries?.keysOf(message) ?? [])
    const missing = missingOf(loaded.state.entries, keys)
    return missing.length > 0 ? fetch(stream, loaded, missing) : loaded
  }

  return {
    withEntriesOf,
    async ask(stream, given, message, question) {
      let loaded = await withEntriesOf(stream, given, message ? [message] : [])
      while (loaded !== 'outdated') {
        try {
          return { loaded, answer: question(loaded.state) }
        } catch (error) {
          if (!(error instanceof NotAtHand)) throw error
          loaded = await fetch(stream, loaded, error.keys)
        }
      }
      return 'outdated'
    },
  }
}
