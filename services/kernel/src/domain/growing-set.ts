import { Set as PersistentSet } from 'immutable'

/** Persistent: adding copies nothing, whatever the size. */
export type GrowingSet = PersistentSet<string>

export const emptySet: GrowingSet = PersistentSet()
