import { z } from 'zod'

/** What an account's limits come from. `free` is what is left when nothing was paid, or what was paid for is over. */
export const planKind = z.enum(['free', 'pro', 'enterprise'])
export type PlanKind = z.infer<typeof planKind>

/** What an account has once its time and the days after it are over: the free plan, nothing, or all that it had. */
export const afterEnd = z.enum(['free_plan', 'ended', 'unchanged'])
export type AfterEnd = z.infer<typeof afterEnd>

/**
 * Whether an account may send: `open` until its end and on the free plan, `grace` for some days after the end, then `ended` where
 * there is no free plan. Reading is never refused, and what
 * customers write is always received.
 */
export const access = z.enum(['open', 'grace', 'ended'])
export type Access = z.infer<typeof access>
