import { z } from 'zod'

/** Whole cents of a real. */
export const amountCents = z.int().nonnegative()

export type AmountCents = z.infer<typeof amountCents>
