import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { type HashQueue, hashQueue } from './hash-queue.ts'

/** Hashes stay outside the log. */
export interface Passwords {
  /** The id derives from the command. */
  store(credentialId: string, password: string): Promise<void>
  /** Takes equally long without a credential. */
  matches(credentialId: string | null, password: string): Promise<boolean>
  forget(credentialId: string): Promise<void>
}

/** OWASP Password Storage cheat sheet: Argon2id, 19 MiB, two passes, one lane. */
const argon2id = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

export const openPasswords = async (secrets: SecretStore, queue: HashQueue = hashQueue()): Promise<Passwords> => {
  const nobodys = await hash(randomUUID(), argon2id)
  return {
    async store(credentialId, password) {
      await secrets.put('password', credentialId, await queue.run(() => hash(password, argon2id)))
    },
    async matches(credentialId, password) {
      const stored = await secrets.get('password', credentialId ?? 'nobody')
      const equal = await queue.run(() => verify(stored ?? nobodys, password))
      return stored !== undefined && equal
    },
    forget: (credentialId) => secrets.delete('password', credentialId),
  }
}
