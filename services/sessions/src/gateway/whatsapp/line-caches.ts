import { lruMap } from '@prosa/kernel/lru-map'
import { DEFAULT_CACHE_TTLS, type SocketConfig } from '@whiskeysockets/baileys'

const kinds = {
  msgRetryCounterCache: { seconds: DEFAULT_CACHE_TTLS.MSG_RETRY, max: 20_000 },
  placeholderResendCache: { seconds: DEFAULT_CACHE_TTLS.MSG_RETRY, max: 20_000 },
  callOfferCache: { seconds: DEFAULT_CACHE_TTLS.CALL_OFFER, max: 2000 },
  userDevicesCache: { seconds: DEFAULT_CACHE_TTLS.USER_DEVICES, max: 50_000 },
} as const

type Kind = keyof typeof kinds
type Caches = Required<Pick<SocketConfig, Kind>>

const sharedCache = ({ seconds, max }: (typeof kinds)[Kind], now: () => number) => {
  const entries = lruMap<string, { value: unknown; until: number }>(max)
  let views = 0
  return () => {
    let view = ++views
    const nameOf = (key: string) => `${view} ${key}`
    return {
      get<T>(key: string): T | undefined {
        const found = entries.get(nameOf(key))
        if (!found) return undefined
        if (found.until > now()) return found.value as T
        entries.delete(nameOf(key))
      },
      set: (key: string, value: unknown) => entries.set(nameOf(key), { value, until: now() + seconds * 1000 }),
      del: (key: string) => entries.delete(nameOf(key)),
      flushAll() {
        view = ++views
      },
    }
  }
}

/**
 * Baileys makes unbounded caches with timers for every socket. Here all lines share four LRU caches with Baileys' TTLs; each socket gets an
 * isolated view. `now` in ms.
 */
export const lineCaches = (now: () => number): (() => Caches) => {
  const viewOf = {
    msgRetryCounterCache: sharedCache(kinds.msgRetryCounterCache, now),
    placeholderResendCache: sharedCache(kinds.placeholderResendCache, now),
    callOfferCache: sharedCache(kinds.callOfferCache, now),
    userDevicesCache: sharedCache(kinds.userDevicesCache, now),
  }
  return () => ({
    msgRetryCounterCache: viewOf.msgRetryCounterCache(),
    placeholderResendCache: viewOf.placeholderResendCache(),
    callOfferCache: viewOf.callOfferCache(),
    userDevicesCache: viewOf.userDevicesCache(),
  })
}
