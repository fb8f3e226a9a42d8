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

export interface Used {
  used: number
  /** Null: unlimited. */
  limit: number | null
}

/** Percentages of a limit that are warned of. */
export const warnedPercents = [80, 100] as const
export type WarnedPercent = (typeof warnedPercents)[number]

/** The highest that is reached. None of a limit of 0, which is no plan: the end of access is shown instead. */
export const warnedPercentOf = ({ used, limit }: Used): WarnedPercent | undefined =>
  limit ? warnedPercents.findLast((percent) => used * 100 >= limit * percent) : undefined

/** How many are used when the next percentage is reached. */
export const nextWarningAt = ({ used, limit }: Used): number =>
  warnedPercents
    .map((percent) => Math.ceil(((limit ?? Number.POSITIVE_INFINITY) * percent) / 100))
    .find((at) => at > used) ?? Number.POSITIVE_INFINITY

/** What the figures count, for whoever reads them. */
export const whatCounts = {
  messages:
    'Contam as mensagens que saem do Prosa, escritas por pessoas ou por fluxos. As que você escreve no celular e as que recebe não contam.',
  connections: 'Contam todas as da lista de conexões, também as desligadas.',
} as const
