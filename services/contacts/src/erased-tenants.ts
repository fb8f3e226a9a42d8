import type { EventStore } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'

export interface ErasedTenants {
  has(owner: string): Promise<boolean>
}

/** Reads account streams incrementally. */
export const erasedTenants = (store: EventStore): ErasedTenants => {
  const known = lruMap<string, { next: bigint; isErased: boolean }>(10_000)
  return {
    async has(owner) {
      let { next, isErased } = known.get(owner) ?? { next: 0n, isErased: false }
      for await (const page of store.read(`user-${owner}`, { from: next })) {
        isErased ||= page.some(({ type }) => type === 'UserErased')
        next += BigInt(page.length)
      }
      known.set(owner, { next, isErased })
      return isErased
    },
  }
}
