import type { SignalDataSet, SignalKeyStore } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { rememberedKeys } from './remembered-keys.ts'

/** A store that counts how often it is asked, and fails when told to. */
const countingStore = () => {
  const kept = new Map<string, Uint8Array>()
  const store = { reads: 0, isAway: false }
  const keys: SignalKeyStore = {
    async get(type, ids) {
      store.reads++
      return Object.fromEntries(
        ids.flatMap((id) => (kept.has(`${type} ${id}`) ? [[id, kept.get(`${type} ${id}`)]] : [])),
      ) as never
    },
    async set(data: SignalDataSet) {
      if (store.isAway) throw new Error('away')
      for (const [id, value] of Object.entries(data.session ?? {}))
        if (value) kept.set(`session ${id}`, value)
        else kept.delete(`session ${id}`)
    },
  }
  return { store, keys: rememberedKeys(keys) }
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
