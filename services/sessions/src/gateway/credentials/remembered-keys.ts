import { BufferJSON, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from '@whiskeysockets/baileys'
import type { KeyMemory } from './key-memory.ts'
import { reviveKey } from './revive-key.ts'

/** A number has hundreds of them, and each is used once. */
const isUsedOnce = (type: string) => type === 'pre-key'

/** Whether the reviver finds anything: it is asked for each field of a session, and sessions have none. */
const mayHoldBytes = /"Buffer"|"\d+":\s*-?\d/

/**
 * Remembers keys that were read or written, also that one does not exist: every message needs the same few again, and only
 * one line at a time works with them. They are remembered as text, because Baileys changes in place what it is given. A key
 * is remembered only after it was stored; when storing fails, what is known of it is forgotten. Many stores share `memory`:
 * `place` must be another for each of them.
 */
export const rememberedKeys = (store: SignalKeyStore, memory: KeyMemory, place: string): SignalKeyStore => {
  const name = (type: string, id: string) => `${place} ${type} ${id}`
  /** Counts whatever may have made an answer of the store wrong that is still on its way. */
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
      const before = new Map(ids.map((id) => [id, memory.get(name(type, id))]))
      const missing = ids.filter((id) => before.get(id) === undefined)
      const changesBefore = changes
      const fetched: Record<string, SignalDataTypeMap[T]> = missing.length > 0 ? await store.get(type, missing) : {}
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        // Meanwhile one may have been written, which counts, or forgotten for want of room.
        const known = memory.get(name(type, id)) ?? before.get(id)
        const text = known ?? write(fetched[id])
        if (known === undefined && changes === changesBefore) memory.set(name(type, id), text)
        const value = mayHoldBytes.test(text) ? JSON.parse(text, BufferJSON.reviver) : JSON.parse(text)
        if (value !== null) found[id] = reviveKey(type, value)
      }
      return found
    },
    async set(data) {
      const entries = entriesOf(data)
      changes++
      for (const [key] of entries) memory.delete(key)
      await store.set(data)
      for (const [key, text] of entries) memory.set(key, text)
    },
  }
}
