import type { SignalDataSet, SignalKeyStore } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { cachedKeys } from './cached-keys.ts'
import { keyCache } from './key-cache.ts'

const roomy = 100_000

const countingStore = (cache = keyCache(roomy), scope = 'line') => {
  const values = new Map<string, Uint8Array>()
  const store = { reads: 0, isAway: false, isCutOff: false, afterReading: async (): Promise<unknown> => undefined }
  const keys: SignalKeyStore = {
    async get(type, ids) {
      store.reads++
      const found = ids.flatMap((id) => (values.has(`${type} ${id}`) ? [[id, values.get(`${type} ${id}`)]] : []))
      await store.afterReading()
      return Object.fromEntries(found) as never
    },
    async set(data: SignalDataSet) {
      if (store.isAway) throw new Error('away')
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries))
          if (value) values.set(`${type} ${id}`, value as Uint8Array)
          else values.delete(`${type} ${id}`)
      if (store.isCutOff) throw new Error('cut off')
    },
  }
  return { store, stored: values, keys: cachedKeys(keys, cache, scope) }
}

it('asks the store once for a key, also for one that does not exist', async () => {
  const { store, keys } = countingStore()
  await keys.set({ session: { ana: Buffer.from('one') } })
  expect(await keys.get('session', ['ana', 'bia'])).toEqual({ ana: Buffer.from('one') })
  expect(await keys.get('session', ['ana', 'bia'])).toEqual({ ana: Buffer.from('one') })
  expect(store.reads).toBe(1)
})

it('gives what was written last, and nothing of what was deleted', async () => {
  const { keys } = countingStore()
  await keys.set({ session: { ana: Buffer.from('one') } })
  await keys.set({ session: { ana: Buffer.from('two') } })
  expect(await keys.get('session', ['ana'])).toEqual({ ana: Buffer.from('two') })
  await keys.set({ session: { ana: null } })
  expect(await keys.get('session', ['ana'])).toEqual({})
})

it('does not hand out what could not be stored', async () => {
  const { store, keys } = countingStore()
  await keys.set({ session: { ana: Buffer.from('one') } })
  store.isAway = true
  await expect(keys.set({ session: { ana: Buffer.from('two') } })).rejects.toThrow('away')
  expect(await keys.get('session', ['ana'])).toEqual({ ana: Buffer.from('one') })
})

it('hands out copies, because Baileys changes what it is given', async () => {
  const { keys } = countingStore()
  await keys.set({ session: { ana: Buffer.from('one') } })
  const { ana } = await keys.get('session', ['ana'])
  ana?.fill(0)
  expect(await keys.get('session', ['ana'])).toEqual({ ana: Buffer.from('one') })
})

it('does not remember one-time keys, of which a number has hundreds', async () => {
  const { store, keys } = countingStore()
  const preKey = { public: Buffer.alloc(33), private: Buffer.alloc(32) }
  await keys.set({ 'pre-key': { '1': preKey } })
  for (const _ of [1, 2]) expect(await keys.get('pre-key', ['1'])).toEqual({ '1': preKey })
  expect(store.reads).toBe(2)
})

it('keeps the keys of lines that share a memory apart', async () => {
  const cache = keyCache(roomy)
  const [one, two] = [countingStore(cache, 'one'), countingStore(cache, 'two')]
  await one.keys.set({ session: { ana: Buffer.from('one') } })
  expect(await two.keys.get('session', ['ana'])).toEqual({})
  await two.keys.set({ session: { ana: Buffer.from('two') } })
  expect(await one.keys.get('session', ['ana'])).toEqual({ ana: Buffer.from('one') })
  expect(one.store.reads).toBe(0)
})

it('finds every key although the memory forgets some of them while others are read', async () => {
  const cache = keyCache(400)
  const { store, keys } = countingStore(cache)
  const both = { ana: Buffer.from('of Ana'), bia: Buffer.from('of Bia') }
  await keys.set({ session: both })
  cache.delete('line session bia')
  store.afterReading = async () => cache.set('another line', 'x'.repeat(200))
  expect(await keys.get('session', ['ana', 'bia'])).toEqual(both)
  expect(store.reads).toBe(1)
})

it('remembers what was written while the same key was read', async () => {
  const { store, keys, stored } = countingStore()
  stored.set('session ana', Buffer.from('one'))
  store.afterReading = async () => keys.set({ session: { ana: Buffer.from('two') } })
  await keys.get('session', ['ana'])
  expect(await keys.get('session', ['ana'])).toEqual({ ana: Buffer.from('two') })
  expect(store.reads).toBe(1)
})

it('does not remember what was read before a write that may have been stored, though it failed', async () => {
  const { store, stored, keys } = countingStore()
  stored.set('session ana', Buffer.from('one'))
  let answer: () => void = () => undefined
  store.afterReading = () =>
    new Promise<void>((resolve) => {
      answer = resolve
    })
  const reading = keys.get('session', ['ana'])
  store.isCutOff = true
  await expect(keys.set({ session: { ana: Buffer.from('two') } })).rejects.toThrow('cut off')
  answer()
  await reading
  store.afterReading = async () => undefined
  expect(await keys.get('session', ['ana'])).toEqual({ ana: Buffer.from('two') })
})
