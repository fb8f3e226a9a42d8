import type { EventOf } from '@prosa/contracts/events/all-events'
import type { emailClaimEvents } from '@prosa/contracts/events/identity'
import type { Decider } from '@prosa/kernel/domain/decider'

export type EmailClaimCommand =
  /** For a registration, or for one change of an account's address. */
  | { type: 'ClaimEmail'; data: { userId: string; changeId?: string } }
  /** Gives up what was claimed for this change (null: for the registration), and nothing that was claimed since. */
  | { type: 'ReleaseEmail'; data: { userId: string; changeId: string | null } }

export type EmailClaimEvent = EventOf<typeof emailClaimEvents>

export interface EmailClaim {
  userId: string | null
  changeId: string | null
  /** Of all accounts that ever had the address, the first: its free period was that of the address. */
  firstUserId: string | null
}

/** Whether the address had its free period with another account (docs/decisions/0057-once.md). */
export const isTrialUsed = ({ firstUserId }: EmailClaim, userId: string): boolean =>
  firstUserId !== null && firstUserId !== userId

/**
 * One e-mail address: the first account to claim it has it until it lets go. One e-mail, one account, without a lock. An
 * account that returns to an address it is about to give up claims it anew, and the late release finds another claim.
 */
export const emailClaim: Decider<EmailClaimCommand, EmailClaimEvent, EmailClaim, 'email_taken'> = {
  initial: { userId: null, changeId: null, firstUserId: null },
  decide: {
    ClaimEmail: (held, { userId, changeId }) => {
      const isOthers = held.userId !== null && held.userId !== userId
      const isClaimed = held.userId === userId && (changeId === undefined || held.changeId === changeId)
      return isOthers || isClaimed ? [] : [{ type: 'EmailClaimed', data: { userId, changeId } }]
    },
    ReleaseEmail: (held, { userId, changeId }) =>
      held.userId === userId && held.changeId === changeId ? [{ type: 'EmailReleased', data: { userId } }] : [],
  },
  evolve: {
    EmailClaimed: ({ firstUserId }, { userId, changeId = null }) => ({
      userId,
      changeId,
      firstUserId: firstUserId ?? userId,
    }),
    EmailReleased: ({ firstUserId }) => ({ userId: null, changeId: null, firstUserId }),
  },
}
