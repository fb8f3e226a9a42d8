import type { AfterEnd, PlanKind } from '@prosa/contracts/values/plan'

/** How much of a plan there is; null: without a limit. */
export interface PlanLimit {
  /** Messages that are sent from Prosa in a calendar month of São Paulo. */
  messages: number | null
  connections: number | null
}

export interface PlanRules {
  limits: Readonly<Record<PlanKind, PlanLimit>>
  /** What an account has once its time and the grace are over. */
  afterEnd: AfterEnd
}

export interface AccountRules extends PlanRules {
  /** Nothing is sent from an account whose address is not confirmed. */
  sendingNeedsConfirmedEmail?: boolean
}

const unlimited: PlanLimit = { messages: null, connections: null }

/** Those of the specification, 9. */
export const defaultPlanRules: PlanRules = {
  limits: {
    free: { messages: 100, connections: 1 },
    pro: { messages: 5000, connections: 3 },
    enterprise: unlimited,
  },
  afterEnd: 'free_plan',
}

/** For a business that runs Prosa for itself. */
export const noPlanRules: PlanRules = {
  limits: { free: unlimited, pro: unlimited, enterprise: unlimited },
  afterEnd: 'unchanged',
}

const part = /^(free|pro|enterprise)=(\d{1,9}|-)\/(\d{1,9}|-)$/
const numberOf = (text = '-') => (text === '-' ? null : Number(text))
const isPlan = (text: string | undefined): text is PlanKind => text !== undefined && text in defaultPlanRules.limits

/**
 * `none`, or plans with their messages a month and connections, e.g. `free=100/1,pro=5000/-`; plans that are not named are as the
 * specification has them, and `free=none` means that there is no free plan. Undefined where it is neither.
 */
export const planRulesOf = (text: string): PlanRules | undefined => {
  if (text === 'none') return noPlanRules
  const limits: Record<PlanKind, PlanLimit> = { ...defaultPlanRules.limits }
  let { afterEnd } = defaultPlanRules
  for (const each of text.split(',')) {
    if (each.trim() === 'free=none') {
      limits.free = { messages: 0, connections: 0 }
      afterEnd = 'ended'
      continue
    }
    const [, plan, messages, connections] = part.exec(each.trim()) ?? []
    if (!isPlan(plan)) return undefined
    limits[plan] = { messages: numberOf(messages), connections: numberOf(connections) }
  }
  return { limits, afterEnd }
}
