import { AsyncResource } from 'node:async_hooks'
import type { SignalDataSet, SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'

/**
 * Who asks for a message again sends the sender a new pre-key, and Baileys does so inside a transaction that is committed afterwards: a
 * process that is killed in between has published a key that it has forgotten, and gives its number to another one. From here
 * on, new pre-keys are stored when they are made, outside the transaction in hand.
 */
export const storePreKeysAtOnce = (keys: SignalKeyStoreWithTransaction): void => {
  const outside = new AsyncResource('pre-keys')
  const set = keys.set.bind(keys)
  keys.set = async (data: SignalDataSet) => {
    const made = Object.entries(data['pre-key'] ?? {}).filter(([, key]) => key)
    if (made.length > 0) await outside.runInAsyncScope(async () => set({ 'pre-key': Object.fromEntries(made) }))
    await set(data)
  }
}
