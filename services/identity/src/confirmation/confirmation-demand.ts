import { type Clock, later } from '@prosa/kernel/clock'
import { confirmationDays } from './confirmation-tokens.ts'

const dayMs = 24 * 3_600_000

/** For people who sign in weekly. */
const earlierAccountDays = 14

/** Undefined where confirmation is not demanded. */
export interface ConfirmationDemand {
  atRegistration(): string | undefined
  /** As long as the link is valid. */
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
