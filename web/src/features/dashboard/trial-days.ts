import type { User } from '@prosa/contracts/http/auth'

const dayMs = 86_400_000

/** Days left of the free period, rounded up; 0 when it is over or the subscription is not active. `nowMs` since 1970. */
export const trialDaysLeft = ({ subscriptionStatus, subscriptionEnd, isTrial }: User, nowMs: number): number => {
  if (!isTrial || subscriptionStatus !== 'active' || !subscriptionEnd) return 0
  return Math.max(0, Math.ceil((Date.parse(subscriptionEnd) - nowMs) / dayMs))
}

/** What the banner shows of them (specification, 2). */
export const trialSentence = (days: number): string =>
  days === 1 ? 'Último dia do seu período gratuito' : `Você tem ${days} dias restantes do período gratuito`
