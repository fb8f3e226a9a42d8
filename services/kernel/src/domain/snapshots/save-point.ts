import { type Entries, hasEntries, withSaved } from './entries.ts'
import type { SavedAt } from './snapshots.ts'

/**
 * What of a state is in the table, as far as whoever made the state knew. A save takes a while, and commands go on meanwhile with
 * states that were made before it ended: the point that they hold leads on to what was saved since. Nothing else leads there, so that what
 * was saved is given back once nobody holds a state of before.
 */
export interface SavePoint {
  readonly saved: SavedAt | undefined
  /** 'outdated': another process has saved more, or anew. */
  next?: { point: SavePoint; changed: Entries['changed'] | undefined } | 'outdated'
}

export const savePoint = (saved?: SavedAt): SavePoint => ({ saved })

const endOf = (point: SavePoint): SavePoint => {
  let end = point
  while (end.next && end.next !== 'outdated') end = end.next.point
  return end
}

const isOlder = (one: SavedAt, other: SavedAt | undefined) =>
  one.lineage === other?.lineage && one.revision <= other.revision

/** Leads all states on that were made of this one, or of the same as it: `changed` are the entries that were saved. */
export const leadOn = (
  point: SavePoint,
  outcome: { saved: SavedAt; changed: Entries['changed'] | undefined } | 'superseded',
): void => {
  const end = endOf(point)
  if (end.next) return
  if (outcome !== 'superseded') {
    if (!isOlder(outcome.saved, end.saved)) end.next = { point: savePoint(outcome.saved), changed: outcome.changed }
    // What was superseded by a later save of this very process is not outdated.
  } else if (end === point) end.next = 'outdated'
}

interface Pointed {
  state: unknown
  revision: bigint | 'no_stream'
  point: SavePoint
}

/**
 * The state as it is after the saves that have ended since it was made; undefined where another process has saved more, or it stands
 * before what was saved.
 */
export const caughtUp = <L extends Pointed>(given: L): L | undefined => {
  let loaded = given
  while (loaded.point.next) {
    const { next } = loaded.point
    if (next === 'outdated') return undefined
    const { saved } = next.point
    if (!saved || loaded.revision === 'no_stream' || loaded.revision < saved.revision) return undefined
    loaded = { ...loaded, point: next.point }
    // What was set anew after all was thrown away is in no lineage yet, even where the same was saved before.
    if (next.changed && hasEntries(loaded.state) && loaded.state.entries.clearings === saved.clearings)
      loaded = { ...loaded, state: { ...loaded.state, entries: withSaved(loaded.state.entries, next.changed) } }
  }
  return loaded
}
