import { z } from 'zod'

/** An amount in whole cents of a real; never a fraction, never text. */
export const amountCents = z.int().nonnegative()

export type AmountCents = z.infer<typeof amountCents>
