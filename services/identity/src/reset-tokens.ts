import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { z } from 'zod'

const reference = z.object({ userId: z.string(), resetId: z.string() })

/** Which account's link, and which of its links. */
export type ResetReference = z.infer<typeof reference>

/**
 * The random texts in the links. They are found by their hash, and cannot be read back from it. A token that a mail has to
 * carry is kept, sealed, until the mail is out and no longer than the token holds. A used one leads on to its link, which is
 * completed, until it runs out: who did not get the reply that the password is set asks again.
 */
export interface ResetTokens {
  issue(of: ResetReference, delivery: 'mail' | 'reply', expiresAt: Instant): Promise<string>
  find(token: string): Promise<ResetReference | undefined>
  toMail(resetId: string): Promise<string | undefined>
  wasMailed(resetId: string): Promise<void>
}

const byHash = 'password reset'
const forMail = 'password reset mail'

export const resetTokens = (secrets: SecretStore): ResetTokens => {
  const hash = (token: string) => createHash('sha256').update(token).digest('hex')
  return {
    async issue(of, delivery, expiresAt) {
      const token = randomBytes(32).toString('base64url')
      await secrets.put(byHash, hash(token), JSON.stringify(of), expiresAt)
      if (delivery === 'mail') await secrets.put(forMail, of.resetId, token, expiresAt)
      return token
    },
    async find(token) {
      const found = await secrets.get(byHash, hash(token))
      return found === undefined ? undefined : reference.parse(JSON.parse(found))
    },
    toMail: (resetId) => secrets.get(forMail, resetId),
    wasMailed: (resetId) => secrets.delete(forMail, resetId),
  }
}
