import type { Usage } from '@prosa/contracts/http/usage'
import { Refused, refuse } from '@prosa/kernel/http/problem'

export const requireAccess = ({ access }: Usage): void => {
  if (access === 'ended') throw refuse('subscription_ended')
}

export const requireConfirmedEmail = ({ mustConfirmEmail }: Usage): void => {
  if (mustConfirmEmail) throw refuse('email_not_confirmed')
}

export const requireMessageLeft = ({ messages: { used, limit } }: Usage): void => {
  if (limit !== null && used >= limit) throw new Refused('message_limit_reached', undefined, undefined, limit)
}
