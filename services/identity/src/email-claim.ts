import type { EventOf } from '@prosa/contracts/events/all-events'
import type { identityEvents } from '@prosa/contracts/events/identity'
import type { Decider } from '@prosa/kernel/decider'

export type EmailClaimCommand = { type: 'ClaimEmail'; data: { userId: string } }

export type EmailClaimEvent = EventOf<Pick<typeof identityEvents, 'EmailClaimed'>>

/** One e-mail address: the first account to claim it has it. One e-mail, one account, without a lock. */
export const emailClaim: Decider<EmailClaimCommand, EmailClaimEvent, { userId: string | null }, 'email_taken'> = {
  initial: { userId: null },
  decide: {
    ClaimEmail: (held, { userId }) => {
      if (held.userId) return []
      return [{ type: 'EmailClaimed', data: { userId } }]
    },
  },
  evolve: {
    EmailClaimed: (_, { userId }) => ({ userId }),
  },
}
