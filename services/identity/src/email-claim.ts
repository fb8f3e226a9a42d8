import type { EventOf } from '@prosa/contracts/events/all-events'
import type { emailClaimEvents } from '@prosa/contracts/events/identity'
import type { Decider } from '@prosa/kernel/domain/decider'

export type EmailClaimCommand =
  /** Without `changeId` the claim is for a registration. */
  | { type: 'ClaimEmail'; data: { userId: string; changeId?: string } }
  /** Only the claim for this change (null: registration). */
  | { type: 'ReleaseEmail'; data: { userId: string; changeId: string | null } }

export type EmailClaimEvent = EventOf<typeof emailClaimEvents>

export interface EmailClaim {
  userId: string | null
  changeId: string | null
  /** The first account that ever had the address used its trial. */
  firstUserId: string | null
}

/** See docs/decisions/0057-once.md. */
export const isTrialUsed = ({ firstUserId }: EmailClaim, userId: string): boolean =>
  firstUserId !== null && firstUserId !== userId

/** The first claim holds until released. Returning to an address claims it anew, so the late release is void. */
export const emailClaim: Decider<EmailClaimCommand, EmailClaimEvent, EmailClaim, 'email_taken'> = {
  initial: { userId: null, changeId: null, firstUserId: null },
  decide: {
    ClaimEmail: (state, { userId, changeId }) => {
      const isOthers = state.userId !== null && state.userId !== userId
      const isClaimed = state.userId === userId && (changeId === undefined || state.changeId === changeId)
      return isOthers || isClaimed ? [] : [{ type: 'EmailClaimed', data: { userId, changeId } }]
    },
    ReleaseEmail: (state, { userId, changeId }) =>
      state.userId === userId && state.changeId === changeId ? [{ type: 'EmailReleased', data: { userId } }] : [],
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
