import { Map as ImmutableMap } from 'immutable'

/**
 * So many entries at most are gathered in a persistent map; then they move to a plain one, which takes half the memory and is
 * never changed again.
 */
const pageSize = 2500

/** An immutable map that forgets what was set longest ago, a page at a time. */
export interface RecentMap<V> {
  young: ImmutableMap<string, V>
  /** The newest first. */
  pages: readonly ReadonlyMap<string, V>[]
}

export const emptyRecentMap = <V>(): RecentMap<V> => ({ young: ImmutableMap<string, V>(), pages: [] })

export const recentGet = <V>({ young, pages }: RecentMap<V>, key: string): V | undefined => {
  const latest = young.get(key)
  if (latest !== undefined) return latest
  for (const page of pages) {
    const found = page.get(key)
    if (found !== undefined) return found
  }
  return undefined
}

/** What the latest `capacity` calls have set is surely held, and no more than two pages beyond that. */
export const recentSet = <V>({ young, pages }: RecentMap<V>, key: string, value: V, capacity: number): RecentMap<V> => {
  if (young.size < pageSize || young.has(key)) return { young: young.set(key, value), pages }
  const kept = pages.slice(0, Math.ceil(capacity / pageSize) - 1)
  return { young: ImmutableMap<string, V>().set(key, value), pages: [new Map(young), ...kept] }
}

/** How many entries are held; a key that was set again long after counts again. */
export const recentSize = <V>({ young, pages }: RecentMap<V>): number =>
  pages.reduce((sum, { size }) => sum + size, young.size)
