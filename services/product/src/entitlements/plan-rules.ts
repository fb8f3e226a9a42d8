import type { AfterEnd, PlanKind } from '@prosa/contracts/values/plan'

/** null: unlimited. */
export interface PlanLimit {
  /** Per calendar month of São Paulo. */
  messages: number | null
  connections: number | null
}

export interface PlanRules {
  limits: Readonly<Record<PlanKind, PlanLimit>>
  /** Applies after the grace period. */
  afterEnd: AfterEnd
}

export interface AccountRules extends PlanRules {
  sendingNeedsConfirmedEmail?: boolean
}

const unlimited: PlanLimit = { messages: null, connections: null }

/** Specification, section 9. */
export const defaultPlanRules: PlanRules = {
  limits: {
    free: { messages: 100, connections: 1 },
    pro: { messages: 5000, connections: 3 },
    enterprise: unlimited,
  },
  afterEnd: 'free_plan',
}

/** For a business that runs its own Prosa. */
export const noPlanRules: PlanRules = {
  limits: { free: unlimited, pro: unlimited, enterprise: unlimited },
  afterEnd: 'unchanged',
}

const part = /^(free|pro|enterprise)=(\d{1,9}|-)\/(\d{1,9}|-)$/
const numberOf = (text = '-') => (text === '-' ? null : Number(text))
const isPlan = (text: string | undefined): text is PlanKind => text !== undefined && text in defaultPlanRules.limits

/**
 * `none`, or messages a month / connections per plan, e.g. `free=100/1,pro=5000/-`; `free=none`: no free plan. Unnamed plans keep their
 * defaults.
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
