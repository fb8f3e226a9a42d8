import { Map as PersistentMap } from 'immutable'

export type Value = string | number | true | object

/**
 * The growing part of a state: values by key. Some are in memory, the others in the snapshot table, from which the command handler fetches.
 */
export interface Entries {
  /** Keys that are not in memory were never set. */
  readonly isWhole: boolean
  /** Unsaved. */
  readonly changed: PersistentMap<string, Value>
  /** Fetched or saved; null: never set. */
  readonly fetched: PersistentMap<string, Value | null>
  readonly count: number
  readonly clearings: number
  /** Estimated memory of both maps. */
  readonly bytes: number
  /** Part that cannot be dropped before a save. */
  readonly changedBytes: number
}

/** Thrown for unloaded keys: the handler fetches them and asks again, so pure deciders never take unloaded for absent. */
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

/** Per key of a persistent map. */
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

export const savedEntries = (count: number): Entries => ({ ...noEntries, isWhole: count === 0, count })

export const missingOf = ({ isWhole, changed, fetched }: Entries, keys: readonly string[]): string[] =>
  isWhole ? [] : keys.filter((key) => !changed.has(key) && !fetched.has(key))

/** Throws `NotAtHand` for all of them at once. */
export const requireEntries = (entries: Entries, keys: readonly string[]): void => {
  const missing = missingOf(entries, keys)
  if (missing.length > 0) throw new NotAtHand(missing)
}

/** Undefined: never set. Throws `NotAtHand`. The caller knows the type it set. */
export const entryOf = <V extends Value>(entries: Entries, key: string): V | undefined => {
  const changed = entries.changed.get(key)
  if (changed !== undefined) return changed as V
  const fetched = entries.fetched.get(key)
  if (fetched === undefined && !entries.isWhole) throw new NotAtHand([key])
  return (fetched ?? undefined) as V | undefined
}

/** Throws `NotAtHand`, as the count needs to know if the key is new. */
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

export const withAllFetched = (entries: Entries, found: ReadonlyMap<string, Value | null>): Entries => ({
  ...withFetched(entries, found),
  isWhole: true,
})

/** Entries that changed during the save stay unsaved. */
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

/** Drops saved entries above `maxBytes`. */
export const trimmed = (entries: Entries, maxBytes: number): Entries =>
  entries.bytes - entries.changedBytes <= maxBytes
    ? entries
    : { ...entries, isWhole: false, fetched: PersistentMap(), bytes: entries.changedBytes }
