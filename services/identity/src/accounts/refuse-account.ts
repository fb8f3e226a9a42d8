import { type Refusal, refusals } from '@prosa/contracts/refusals'
import { type Refused, refuse } from '@prosa/kernel/http/problem'

/** `email_taken` names its field. */
export const refuseAccount = (refusal: Refusal): Refused =>
  refusal === 'email_taken'
    ? refuse(refusal, [{ field: 'email', message: refusals.email_taken.title }])
    : refuse(refusal)
