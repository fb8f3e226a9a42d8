import { AsyncResource } from 'node:async_hooks'
import type { SignalRepositoryWithLIDStore } from '@whiskeysockets/baileys'

const turns = new Map<string, Promise<unknown>>()

/** Works under one name one after the other, in the whole process; one that fails does not keep the next from running. */
const alone = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const own = (turns.get(name) ?? Promise.resolve()).then(work, work)
  turns.set(name, own)
  const leave = () => {
    if (turns.get(name) === own) turns.delete(name)
  }
  own.then(leave, leave)
  return own
}

/**
 * Baileys puts everything about a message that it sends into one transaction, the sending too, and commits afterwards: a process that is
 * killed in between has told the contact's phone of a ratchet that it has forgotten, and cannot read the answer. Here each
 * turn of a ratchet is a transaction of its own, which is over before anybody hears of it.
 *
 * Turns of one address are taken one after the other, also by different lines: libsignal queues them by address alone, and runs
 * whoever waits in the asynchronous context of the one before, in which our transaction does not exist.
 */
export const durableRatchets = (repository: SignalRepositoryWithLIDStore): SignalRepositoryWithLIDStore => {
  const outside = new AsyncResource('signal')
  const apart = <T>(work: () => Promise<T>): Promise<T> => outside.runInAsyncScope(work)
  const turn = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    alone(repository.jidToSignalProtocolAddress(jid), () => apart(work))
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
