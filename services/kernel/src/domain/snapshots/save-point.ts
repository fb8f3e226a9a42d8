import { type Entries, hasEntries, withSaved } from './entries.ts'
import type { SavedAt } from './snapshots.ts'

/**
 * The saved part of a state. Commands go on during a save with older states; their point links to the later ones. Only such states hold the
 * links, so memory is freed with them.
 */
export interface SavePoint {
  readonly saved: SavedAt | undefined
  /** 'outdated': another process saved more, or a new lineage. */
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

/** `changed`: the saved entries. Applies to all states made of this point. */
export const advanceSavePoint = (
  point: SavePoint,
  outcome: { saved: SavedAt; changed: Entries['changed'] | undefined } | 'superseded',
): void => {
  const end = endOf(point)
  if (end.next) return
  if (outcome !== 'superseded') {
    if (!isOlder(outcome.saved, end.saved)) end.next = { point: savePoint(outcome.saved), changed: outcome.changed }
    // A later save of this process does not make it outdated.
  } else if (end === point) end.next = 'outdated'
}

interface Pointed {
  state: unknown
  revision: bigint | 'no_stream'
  point: SavePoint
}

/** Applies saves that ended since; undefined when another process saved more or the state is behind. */
export const withLaterSaves = <L extends Pointed>(given: L): L | undefined => {
  let loaded = given
  while (loaded.point.next) {
    const { next } = loaded.point
    if (next === 'outdated') return undefined
    const { saved } = next.point
    if (!saved || loaded.revision === 'no_stream' || loaded.revision < saved.revision) return undefined
    loaded = { ...loaded, point: next.point }
    // Entries set after a clearing are in no lineage yet, even if saved before.
    if (next.changed && hasEntries(loaded.state) && loaded.state.entries.clearings === saved.clearings)
      loaded = { ...loaded, state: { ...loaded.state, entries: withSaved(loaded.state.entries, next.changed) } }
  }
  return loaded
}
