import { BufferJSON, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from '@whiskeysockets/baileys'
import type { KeyCache } from './key-cache.ts'
import { reviveKey } from './revive-key.ts'

/** Hundreds for each number, each used once: not cached. */
const isUsedOnce = (type: string) => type === 'pre-key'

/** The reviver runs for each field, and sessions contain no bytes. */
const mayHoldBytes = /"Buffer"|"\d+":\s*-?\d/

/**
 * Caches also absent keys. As text, because Baileys mutates its input; after storing only, and a failed write evicts. Stores that share
 * `cache` need distinct `scope`s.
 */
export const cachedKeys = (store: SignalKeyStore, cache: KeyCache, scope: string): SignalKeyStore => {
  const name = (type: string, id: string) => `${scope} ${type} ${id}`
  /** Detects changes that invalidate a read under way. */
  let changes = 0
  const write = (value: unknown) => JSON.stringify(value ?? null, BufferJSON.replacer)

  const entriesOf = (data: SignalDataSet): [name: string, text: string][] =>
    Object.entries(data)
      .filter(([type]) => !isUsedOnce(type))
      .flatMap(([type, entries]) =>
        Object.entries(entries).map(([id, value]): [string, string] => [name(type, id), write(value)]),
      )

  return {
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      if (isUsedOnce(type)) return store.get(type, ids)
      const before = new Map(ids.map((id) => [id, cache.get(name(type, id))]))
      const missing = ids.filter((id) => before.get(id) === undefined)
      const changesBefore = changes
      const fetched: Record<string, SignalDataTypeMap[T]> = missing.length > 0 ? await store.get(type, missing) : {}
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const known = cache.get(name(type, id)) ?? before.get(id)
        const text = known ?? write(fetched[id])
        if (known === undefined && changes === changesBefore) cache.set(name(type, id), text)
        const value = mayHoldBytes.test(text) ? JSON.parse(text, BufferJSON.reviver) : JSON.parse(text)
        if (value !== null) found[id] = reviveKey(type, value)
      }
      return found
    },
    async set(data) {
      const entries = entriesOf(data)
      changes++
      for (const [key] of entries) cache.delete(key)
      await store.set(data)
      for (const [key, text] of entries) cache.set(key, text)
    },
  }
}
