import { z } from 'zod'

/** `free`: nothing paid, or expired. */
export const planKind = z.enum(['free', 'pro', 'enterprise'])
export type PlanKind = z.infer<typeof planKind>

/** After the grace period. */
export const afterEnd = z.enum(['free_plan', 'ended', 'unchanged'])
export type AfterEnd = z.infer<typeof afterEnd>

/**
 * `open`: until the end, and on the free plan; `grace`: some days; `ended`: only without a free plan. Reading and receiving are never
 * refused.
 */
export const access = z.enum(['open', 'grace', 'ended'])
export type Access = z.infer<typeof access>
