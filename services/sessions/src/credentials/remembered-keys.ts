import { lruMap } from '@prosa/kernel/lru-map'
import { BufferJSON, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from '@whiskeysockets/baileys'
import { reviveKey } from './revive-key.ts'

const mostKeys = 5000

/**
 * Remembers keys that were read or written, also that one does not exist: every message needs the same few again, and only
 * one line at a time works with them. They are remembered as text, because Baileys changes in place what it is given. A key
 * is remembered only after it was stored; when storing fails, what is known of it is forgotten.
 */
export const rememberedKeys = (store: SignalKeyStore): SignalKeyStore => {
  const known = lruMap<string, string>(mostKeys)
  const name = (type: string, id: string) => `${type} ${id}`
  const write = (value: unknown) => JSON.stringify(value ?? null, BufferJSON.replacer)

  const entriesOf = (data: SignalDataSet): [name: string, text: string][] =>
    Object.entries(data).flatMap(([type, entries]) =>
      Object.entries(entries).map(([id, value]): [string, string] => [name(type, id), write(value)]),
    )

  return {
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const missing = ids.filter((id) => known.get(name(type, id)) === undefined)
      const fetched: Record<string, SignalDataTypeMap[T]> = missing.length > 0 ? await store.get(type, missing) : {}
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const text = known.get(name(type, id)) ?? write(fetched[id])
        known.set(name(type, id), text)
        const value = JSON.parse(text, BufferJSON.reviver)
        if (value !== null) found[id] = reviveKey(type, value)
      }
      return found
    },
    async set(data) {
      const entries = entriesOf(data)
      for (const [key] of entries) known.delete(key)
      await store.set(data)
      for (const [key, text] of entries) known.set(key, text)
    },
  }
}
