import type { Usage } from '@prosa/contracts/http/accounts/usage'

export type PlanObstacle = 'access_ended' | 'email_not_confirmed' | 'no_message_left'

/** What of a plan forbids to send now. `isCounted` false: a retry of a message that counted already. */
export const planObstacle = (
  { access, mustConfirmEmail, messages }: Pick<Usage, 'access' | 'mustConfirmEmail' | 'messages'>,
  isCounted = true,
): PlanObstacle | undefined => {
  if (access === 'ended') return 'access_ended'
  if (mustConfirmEmail) return 'email_not_confirmed'
  return isCounted && messages.limit !== null && messages.used >= messages.limit ? 'no_message_left' : undefined
}
