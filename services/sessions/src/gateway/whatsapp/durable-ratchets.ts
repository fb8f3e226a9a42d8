import { AsyncResource } from 'node:async_hooks'
import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import type { SignalRepositoryWithLIDStore } from '@whiskeysockets/baileys'

/** Works under one name one after the other, in the whole process. */
const turns = keyedQueue()

/**
 * Baileys puts everything about a message that it sends into one transaction, the sending too, and commits afterwards: a process that is
 * killed in between has sent the contact's phone a ratchet that it has forgotten, and cannot read the answer. Here each
 * turn of a ratchet is a transaction of its own, which is over before anything else happens.
 *
 * Turns of one address are taken one after the other, also by different lines: libsignal queues them by address alone, and runs
 * whoever waits in the asynchronous context of the one before, in which our transaction does not exist.
 */
export const durableRatchets = (repository: SignalRepositoryWithLIDStore): SignalRepositoryWithLIDStore => {
  const outside = new AsyncResource('signal')
  const apart = <T>(work: () => Promise<T>): Promise<T> => outside.runInAsyncScope(work)
  const turn = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    turns.run(repository.jidToSignalProtocolAddress(jid), () => apart(work))
  return {
    ...repository,
    encryptMessage: (options) => turn(options.jid, () => repository.encryptMessage(options)),
    decryptMessage: (options) => turn(options.jid, () => repository.decryptMessage(options)),
    injectE2ESession: (options) => turn(options.jid, () => repository.injectE2ESession(options)),
    validateSession: (jid) => turn(jid, () => repository.validateSession(jid)),
    getSessionInfo: (jid) => turn(jid, () => repository.getSessionInfo(jid)),
    deleteSession: (jids) => apart(() => repository.deleteSession(jids)),
    migrateSession: (from, to) => apart(() => repository.migrateSession(from, to)),
  }
}
