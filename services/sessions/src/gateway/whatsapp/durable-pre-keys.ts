import { AsyncResource } from 'node:async_hooks'
import type { SignalDataSet, SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'

/**
 * For a retry request Baileys publishes a pre-key before its commit: after a crash the key is lost and its id reused. So new pre-keys are
 * stored at once, outside the transaction.
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
