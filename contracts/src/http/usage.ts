import { z } from 'zod'
import { instant } from '../values/instant.ts'
import { access, afterEnd, planKind } from '../values/plan.ts'
import { endpoint } from './endpoint.ts'

/** How much of something is used, and of how much; null: without a limit. */
const used = z.object({ used: z.int().nonnegative(), limit: z.int().nonnegative().nullable() })

/** What an account may do now, and how much of it is used. */
export const usage = z.object({
  plan: planKind,
  access,
  afterEnd,
  /** When the paid or free time ends, or ended; null while nobody knows, moments after the registration. */
  endsAt: instant.nullable(),
  /** Until when the limits of the plan hold all the same; the same as `endsAt` where access was taken away. */
  graceEndsAt: instant.nullable(),
  /** Since when messages count: the first moment of the calendar month in São Paulo. */
  periodStart: instant,
  /** Sent from Prosa in this period, whether they arrived or not. */
  messages: used,
  connections: used,
  /** The address had its free period with another account, so that this one has none; until something is paid or given. */
  isTrialWithheld: z.boolean(),
  /** From when on nothing is sent until the address is confirmed; null where it is, or need not be. */
  confirmEmailBy: instant.nullable(),
  /** That moment has come. */
  mustConfirmEmail: z.boolean(),
})

export type Usage = z.infer<typeof usage>

export const usageEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/api/usage',
    area: 'Cobrança',
    summary: 'Mostra o que a conta pode fazer agora e quanto do plano já foi usado neste mês.',
    replies: { 200: usage },
  }),
}
