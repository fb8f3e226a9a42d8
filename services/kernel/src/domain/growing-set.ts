import { Set as PersistentSet } from 'immutable'

/** A set of which each state of a stream has its own, and none a copy: adding to one of 10,000 costs as little as to one of ten. */
export type GrowingSet = PersistentSet<string>

export const emptySet: GrowingSet = PersistentSet()
