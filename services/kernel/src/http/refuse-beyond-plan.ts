import type { Usage } from '@prosa/contracts/http/usage'
import { Refused, refuse } from './problem.ts'

/** Throws `subscription_ended` where the account's time, with its grace, is over. */
export const requireAccess = ({ access }: Usage): void => {
  if (access === 'ended') throw refuse('subscription_ended')
}

/** Throws `email_not_confirmed` where nothing is sent before the address is confirmed. */
export const requireConfirmedEmail = ({ mustConfirmEmail }: Usage): void => {
  if (mustConfirmEmail) throw refuse('email_not_confirmed')
}

/** Throws `message_limit_reached` where every message of this month's plan was sent. */
export const requireMessageLeft = ({ messages: { used, limit } }: Usage): void => {
  if (limit !== null && used >= limit) throw new Refused('message_limit_reached', undefined, undefined, limit)
}
