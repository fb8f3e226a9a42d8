import { type Clock, later } from '@prosa/kernel/clock'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { z } from 'zod'

/** Covers a weekend. */
export const confirmationDays = 3
const dayMs = 24 * 3_600_000

const named = z.object({ userId: z.string(), emailChangeId: z.string().nullable(), expiresAt: z.string() })

/** Null stands for the registration. */
export interface AddressReference {
  userId: string
  emailChangeId: string | null
}

/** Stateless: the encrypted token holds account, change and expiry. */
export interface ConfirmationTokens {
  issue(of: AddressReference, delivery: 'mail' | 'reply'): string
  /** Undefined for tokens issued elsewhere or that prove nothing. */
  read(token: string): (AddressReference & { isExpired: boolean }) | undefined
}

interface Deps {
  box: SecretBox
  clock: Clock
  /** Otherwise a link in a reply counts, too. */
  production: boolean
}

const purpose = (delivery: 'mail' | 'reply') => `e-mail confirmation by ${delivery}`

export const confirmationTokens = ({ box, clock, production }: Deps): ConfirmationTokens => {
  const deliveries = production ? (['mail'] as const) : (['mail', 'reply'] as const)

  const open = (token: string, delivery: 'mail' | 'reply') => {
    try {
      const plain = box.decrypt(Buffer.from(token, 'base64url'), purpose(delivery)).toString()
      return named.safeParse(JSON.parse(plain)).data
    } catch {
      return undefined
    }
  }

  return {
    issue({ userId, emailChangeId }, delivery) {
      const expiresAt = later(clock.now(), confirmationDays * dayMs)
      const plain = JSON.stringify({ userId, emailChangeId, expiresAt })
      return box.encrypt(Buffer.from(plain), purpose(delivery)).toString('base64url')
    },
    read(token) {
      for (const delivery of deliveries) {
        const found = open(token, delivery)
        if (!found) continue
        const { userId, emailChangeId, expiresAt } = found
        return { userId, emailChangeId, isExpired: expiresAt <= clock.now() }
      }
      return undefined
    },
  }
}
