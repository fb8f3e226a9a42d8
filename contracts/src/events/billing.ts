import { z } from 'zod'
import { instant } from '../values/instant.ts'

export const billingEvents = {
  /** A new account began its free period, without a card. */
  TrialStarted: z.object({ endsAt: instant }),
  /** The free period was over, by our clock. */
  TrialEnded: z.object({}),
}
