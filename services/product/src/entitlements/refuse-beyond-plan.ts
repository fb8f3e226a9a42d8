import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { refuse } from '@prosa/kernel/http/problem'

export const requireAccess = ({ access }: Usage): void => {
  if (access === 'ended') throw refuse('subscription_ended')
}
