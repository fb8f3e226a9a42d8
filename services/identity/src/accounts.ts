import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { emailClaim } from './email-claim.ts'
import { passwordReset } from './password-reset.ts'
import { type User, user } from './user.ts'

export const openAccounts = ({
  store,
  codec,
  clock,
  box,
  snapshots,
}: Pick<Ports, 'store' | 'codec' | 'clock' | 'box' | 'snapshots'>) => {
  const base = { store, codec, clock, snapshots, service: 'identity' } as const
  const emails = commandHandler({ ...base, category: 'emailClaim', decider: emailClaim, foreign: 'email_taken' })
  const users = commandHandler({ ...base, category: 'user', decider: user, foreign: 'wrong_credentials' })
  const resets = commandHandler({
    ...base,
    category: 'passwordReset',
    decider: passwordReset,
    foreign: 'reset_link_invalid',
  })
  /** Expects the address trimmed and in lower case. */
  const claimIdOf = (email: string) => box.fingerprint(email, 'e-mail claim')

  return {
    emails,
    users,
    resets,
    claimIdOf,
    /** Undefined if left or not yet taken. */
    async find(email: string): Promise<(User & { id: string; credentialId: string }) | undefined> {
      const { userId } = await emails.load(claimIdOf(email), null)
      if (!userId) return undefined
      const { credentialId, ...found } = await users.load(userId, userId)
      return credentialId && found.email === email ? { ...found, credentialId, id: userId } : undefined
    },
  }
}

export type Accounts = ReturnType<typeof openAccounts>
