import { z } from 'zod'
import { instant } from '../../values/instant.ts'
import { access, afterEnd, planKind } from '../../values/plan.ts'
import { endpoint } from '../endpoint.ts'

/** `limit` null: unlimited. */
const used = z.object({ used: z.int().nonnegative(), limit: z.int().nonnegative().nullable() })

export const usage = z.object({
  plan: planKind,
  access,
  afterEnd,
  /** Null moments after registration. */
  endsAt: instant.nullable(),
  /** Equals `endsAt` where access was removed. */
  graceEndsAt: instant.nullable(),
  /** Calendar month in São Paulo. */
  periodStart: instant,
  /** Delivered or not. */
  messages: used,
  connections: used,
  /** Of the free plan, which follows the grace period. */
  limitsAfterEnd: z.object({ messages: used.shape.limit, connections: used.shape.limit }),
  /** Another account used the address's trial; until a payment or grant. */
  isTrialWithheld: z.boolean(),
  /** Then sending stops; null if confirmed. */
  confirmEmailBy: instant.nullable(),
  mustConfirmEmail: z.boolean(),
})

export type Usage = z.infer<typeof usage>

export const usageEndpoints = {
  read: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/usage',
    area: 'Cobrança',
    summary: 'Mostra o que a conta pode fazer agora e quanto do plano já foi usado neste mês.',
    replies: { 200: usage },
  }),
}
