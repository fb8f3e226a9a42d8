import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { z } from 'zod'

const reference = z.object({ userId: z.string(), resetId: z.string() })

export type ResetReference = z.infer<typeof reference>

/**
 * Stored as hashes; a token to be mailed also encrypted, until sent or expired. A used one resolves until expiry, so a client that lost the
 * reply can repeat.
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
