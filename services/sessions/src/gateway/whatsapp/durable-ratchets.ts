import { AsyncResource } from 'node:async_hooks'
import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import type { SignalRepositoryWithLIDStore } from '@whiskeysockets/baileys'

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
