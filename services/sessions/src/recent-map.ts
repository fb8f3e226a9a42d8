import { Map as ImmutableMap } from 'immutable'

/** An immutable map that forgets old entries: it holds the latest `capacity` keys at least and twice as many at most. */
export interface RecentMap<V> {
  young: ImmutableMap<string, V>
  old: ImmutableMap<string, V>
}

export const emptyRecentMap = <V>(): RecentMap<V> => ({
  young: ImmutableMap<string, V>(),
  old: ImmutableMap<string, V>(),
})

export const recentGet = <V>({ young, old }: RecentMap<V>, key: string): V | undefined => young.get(key) ?? old.get(key)

export const recentSet = <V>({ young, old }: RecentMap<V>, key: string, value: V, capacity: number): RecentMap<V> =>
  young.size < capacity || young.has(key)
    ? { young: young.set(key, value), old }
    : { young: ImmutableMap<string, V>().set(key, value), old: young }
