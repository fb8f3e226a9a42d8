import { z } from 'zod'
import { id, userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { checkPeriod } from '../../values/time/period.ts'
import { endpoint } from '../endpoint.ts'
import { maxWhatIfDays, walkAsked, walkPart } from './walk.ts'

const wantedDays = 'Informe de 1 a 3.650 dias, sem frações.'
const wantedNumber = 'Informe um número inteiro, a partir de 0.'

const days = z.int(wantedDays).min(1, wantedDays).max(3650, wantedDays)
const number = z.int(wantedNumber).min(0, wantedNumber).max(1_000_000_000, 'Informe um número menor.')

/** Absent: as today; null: unlimited. */
const limit = z.object({ messages: number.nullable().optional(), connections: number.nullable().optional() })

const change = z.object({
  /** Whose days and price are others. */
  planId: id.nullable().default(null),
  accessDays: days.optional(),
  priceCents: number.optional(),
  /** Of the free period. */
  trialDays: days.optional(),
  limits: z.object({ free: limit, pro: limit, enterprise: limit }).partial().default({}),
})

/** When it was reached in the period; null: it was not. */
const reached = z.object({ was: instant.nullable(), would: instant.nullable() })

const difference = z.object({
  userId,
  name: z.string(),
  email: z.string(),
  endsAt: reached,
  messages: reached,
  connections: reached,
  /** Sent then, and would have been refused. */
  blockedSends: z.int().nonnegative(),
  /** Of a flow: refused then for the plan, and would have been sent. */
  allowedSends: z.int().nonnegative(),
  blockedConnections: z.int().nonnegative(),
})

const part = z.object({
  ...walkPart,
  subscriptions: z.int().nonnegative(),
  /** Accounts. */
  different: z.int().nonnegative(),
  otherEnds: z.int().nonnegative(),
  reachedLimit: z.object({ was: z.int().nonnegative(), would: z.int().nonnegative() }),
  blockedSends: z.int().nonnegative(),
  allowedSends: z.int().nonnegative(),
  blockedConnections: z.int().nonnegative(),
  /** Of the plan's orders of accounts that were paid in the period. */
  revenue: z.object({
    orders: z.int().nonnegative(),
    wasCents: z.int().nonnegative(),
    wouldCents: z.int().nonnegative(),
  }),
  differences: z.array(difference),
})

export const planWhatIfEndpoints = {
  ask: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/admin/plan-what-if',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'users', of: 'all' },
    changesNothing: true,
    costs: 'computing',
    summary:
      'Que acessos e limites de alguns dias seriam outros com outros dias, limites ou preço de um plano, por partes. Nada é guardado.',
    body: change
      .extend(walkAsked)
      .superRefine(checkPeriod(maxWhatIfDays))
      .refine(({ planId, accessDays, priceCents }) => planId !== null || (accessDays ?? priceCents) === undefined, {
        path: ['planId'],
        error: 'Escolha o plano que teria outros dias ou outro preço.',
      }),
    replies: { 200: part },
  }),
}

export type PlanChange = z.output<typeof change>
export type PlanDifference = z.infer<typeof difference>
export type PlanWhatIfPart = z.infer<typeof part>
