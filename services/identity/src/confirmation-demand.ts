import { type Clock, later } from '@prosa/kernel/clock'
import { confirmationDays } from './confirmation-tokens.ts'

const dayMs = 24 * 3_600_000

/** For accounts that were there before the rule: long enough for whoever looks into Prosa once a week. */
const earlierAccountDays = 14

/** Until when an account has to confirm its address, where nothing is sent without that; undefined where the rule does not hold. */
export interface ConfirmationDemand {
  atRegistration(): string | undefined
  /** For as long as the link holds: a shop that moves to another address goes on answering meanwhile. */
  atChange(): string | undefined
  ofEarlierAccount(): string | undefined
}

export const confirmationDemand = (clock: Clock, isDemanded: boolean): ConfirmationDemand => {
  const within = (days: number) => () => (isDemanded ? later(clock.now(), days * dayMs) : undefined)
  return {
    atRegistration: within(0),
    atChange: within(confirmationDays),
    ofEarlierAccount: within(earlierAccountDays),
  }
}
