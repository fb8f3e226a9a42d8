import type { User } from '@prosa/contracts/http/accounts/auth'

const dayMs = 86_400_000

/** Rounded up; 0 when the trial is over or the subscription is not active. `nowMs` since 1970. */
export const trialDaysLeft = ({ subscriptionStatus, subscriptionEnd, isTrial }: User, nowMs: number): number => {
  if (!isTrial || subscriptionStatus !== 'active' || !subscriptionEnd) return 0
  return Math.max(0, Math.ceil((Date.parse(subscriptionEnd) - nowMs) / dayMs))
}

/** Specification, 2. */
export const trialSentence = (days: number): string =>
  days === 1 ? 'Último dia do seu período gratuito' : `Você tem ${days} dias restantes do período gratuito`
