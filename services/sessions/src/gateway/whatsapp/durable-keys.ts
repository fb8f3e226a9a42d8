import { AsyncResource } from 'node:async_hooks'
import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import type {
  SignalDataSet,
  SignalKeyStoreWithTransaction,
  SignalRepositoryWithLIDStore,
} from '@whiskeysockets/baileys'

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

const queues = keyedQueue()

/**
 * Baileys sends inside the transaction: after a crash the sent ratchet is lost, and the reply unreadable. So each step commits on its own
 * first.
 * Steps of one address are serial across lines: libsignal queues by address alone and runs waiters in the previous one's async context,
 * without our transaction.
 */
export const durableRatchets = (repository: SignalRepositoryWithLIDStore): SignalRepositoryWithLIDStore => {
  const outside = new AsyncResource('signal')
  const apart = <T>(work: () => Promise<T>): Promise<T> => outside.runInAsyncScope(work)
  const serially = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    queues.run(repository.jidToSignalProtocolAddress(jid), () => apart(work))
  return {
    ...repository,
    encryptMessage: (options) => serially(options.jid, () => repository.encryptMessage(options)),
    decryptMessage: (options) => serially(options.jid, () => repository.decryptMessage(options)),
    injectE2ESession: (options) => serially(options.jid, () => repository.injectE2ESession(options)),
    validateSession: (jid) => serially(jid, () => repository.validateSession(jid)),
    getSessionInfo: (jid) => serially(jid, () => repository.getSessionInfo(jid)),
    deleteSession: (jids) => apart(() => repository.deleteSession(jids)),
    migrateSession: (from, to) => apart(() => repository.migrateSession(from, to)),
  }
}
