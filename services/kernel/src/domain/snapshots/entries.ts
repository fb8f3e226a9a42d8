import { Map as PersistentMap } from 'immutable'

/** What JSON can write, except null. */
export type Value = string | number | true | object

/**
 * The part of a state that grows with its stream: values by key. Only some are in memory; the others are in the table of
 * snapshots, from where the command handler fetches what a decider asks for.
 */
export interface Entries {
  /** Nothing is elsewhere: what is not in memory was never set. */
  readonly isWhole: boolean
  /** What was set since the state was saved. */
  readonly changed: PersistentMap<string, Value>
  /** What was fetched, or saved and kept; null: it was never set. */
  readonly fetched: PersistentMap<string, Value | null>
  /** How many keys were ever set. */
  readonly count: number
  /** How often all of them were thrown away. */
  readonly clearings: number
  /** An estimate of what both maps take in memory. */
  readonly bytes: number
  /** Of these, what cannot be given back before it is saved. */
  readonly changedBytes: number
}

/**
 * Thrown by `entryOf` for keys that have to be fetched first. Deciders are pure: the command handler fetches them and asks again, so
 * nobody takes what is not in memory for what never was.
 */
export class NotAtHand extends Error {
  override name = 'NotAtHand'
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    super('these entries have to be fetched first')
    this.keys = keys
  }
}

export const hasEntries = (state: unknown): state is { entries: Entries } =>
  typeof state === 'object' && state !== null && Object.hasOwn(state, 'entries')

/** Slots, hashes and node objects of a persistent map, for each key. */
const overheadBytes = 120
const weightOf = (key: string, value: Value | null): number =>
  overheadBytes + 2 * key.length + (typeof value === 'string' ? 2 * value.length : typeof value === 'object' ? 200 : 8)

export const noEntries: Entries = {
  isWhole: true,
  changed: PersistentMap(),
  fetched: PersistentMap(),
  count: 0,
  clearings: 0,
  bytes: 0,
  changedBytes: 0,
}

/** Those of a saved state, none of them in memory. */
export const savedEntries = (count: number): Entries => ({ ...noEntries, isWhole: count === 0, count })

/** Which of these keys have to be fetched before they can be asked for. */
export const missingOf = ({ isWhole, changed, fetched }: Entries, keys: readonly string[]): string[] =>
  isWhole ? [] : keys.filter((key) => !changed.has(key) && !fetched.has(key))

/** Throws `NotAtHand` once for all of these keys, where they would be asked for one after the other. */
export const requireEntries = (entries: Entries, keys: readonly string[]): void => {
  const missing = missingOf(entries, keys)
  if (missing.length > 0) throw new NotAtHand(missing)
}

/** The value that was set last; undefined when there was none. Throws `NotAtHand`. The caller knows what it has set. */
export const entryOf = <V extends Value>(entries: Entries, key: string): V | undefined => {
  const changed = entries.changed.get(key)
  if (changed !== undefined) return changed as V
  const fetched = entries.fetched.get(key)
  if (fetched === undefined && !entries.isWhole) throw new NotAtHand([key])
  return (fetched ?? undefined) as V | undefined
}

/** Throws `NotAtHand`: whether the key is new has to be known, for the count. */
export const setEntry = (entries: Entries, key: string, value: Value): Entries => {
  const isNew = entryOf(entries, key) === undefined
  const before = entries.changed.get(key)
  const more = weightOf(key, value) - (before === undefined ? 0 : weightOf(key, before))
  return {
    ...entries,
    changed: entries.changed.set(key, value),
    count: isNew ? entries.count + 1 : entries.count,
    bytes: entries.bytes + more,
    changedBytes: entries.changedBytes + more,
  }
}

export const clearEntries = ({ clearings }: Entries): Entries => ({ ...noEntries, clearings: clearings + 1 })

/** With what was asked for and found; null for what is not there. */
export const withFetched = (entries: Entries, found: Iterable<[string, Value | null]>): Entries => {
  let { bytes } = entries
  const fetched = entries.fetched.withMutations((map) => {
    for (const [key, value] of found) {
      const before = map.get(key)
      bytes += weightOf(key, value) - (before === undefined ? 0 : weightOf(key, before))
      map.set(key, value)
    }
  })
  return { ...entries, fetched, bytes }
}

/** With everything that was ever saved: nothing has to be fetched from now on. */
export const withAllFetched = (entries: Entries, found: ReadonlyMap<string, Value | null>): Entries => ({
  ...withFetched(entries, found),
  isWhole: true,
})

/** After `saved` was written: what has changed since is still to be saved, the rest is as if it had been fetched. */
export const withSaved = (entries: Entries, saved: Entries['changed']): Entries => {
  const done = saved.filter((value, key) => entries.changed.get(key) === value)
  if (done.size === 0) return entries
  let doneBytes = 0
  for (const [key, value] of done) doneBytes += weightOf(key, value)
  return withFetched(
    {
      ...entries,
      changed: entries.changed.deleteAll(done.keys()),
      bytes: entries.bytes - doneBytes,
      changedBytes: entries.changedBytes - doneBytes,
    },
    done,
  )
}

/** Without what can be fetched again, once that takes more than `maxBytes`. */
export const trimmed = (entries: Entries, maxBytes: number): Entries =>
  entries.bytes - entries.changedBytes <= maxBytes
    ? entries
    : { ...entries, isWhole: false, fetched: PersistentMap(), bytes: entries.changedBytes }
