import { z } from 'zod'

/** What an account's limits come from. `free` is what is left when nothing was paid, or what was paid for is over. */
export const planKind = z.enum(['free', 'pro', 'enterprise'])
export type PlanKind = z.infer<typeof planKind>

/**
 * Whether an account may send: `open` until its end, `grace` for some days after it, then `ended`. Reading is never refused, and what
 * customers write is always received.
 */
export const access = z.enum(['open', 'grace', 'ended'])
export type Access = z.infer<typeof access>
