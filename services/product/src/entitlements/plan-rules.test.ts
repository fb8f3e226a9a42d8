import { describe, expect, it } from 'vitest'
import { entitlementOf, newAccount } from './entitlement-of.ts'
import { defaultPlanRules, noPlanRules, planRulesOf } from './plan-rules.ts'

describe('the limits of plans as a setting', () => {
  it('change those that are named', () => {
    const rules = planRulesOf('pro=20/-, free=0/0')
    expect(rules?.limits).toEqual({
      ...defaultPlanRules.limits,
      pro: { messages: 20, connections: null },
      free: { messages: 0, connections: 0 },
    })
    expect(rules?.afterEnd).toBe('free_plan')
  })

  it.each(['', 'pro', 'pro=1', 'pro=1/2/3', 'gold=1/1', 'pro=-1/2', 'constructor=1/1'])('are not %j', (text) =>
    expect(planRulesOf(text)).toBeUndefined(),
  )

  it('can leave out the free plan: then access ends', () => {
    const rules = planRulesOf('free=none,pro=20/-')
    expect(rules).toMatchObject({ afterEnd: 'ended', limits: { free: { messages: 0, connections: 0 } } })
    const over = { ...newAccount, endsAt: '2020-01-01T00:00:00.000Z' }
    expect(rules && entitlementOf(over, rules, '2026-11-20T12:00:00.000Z').access).toBe('ended')
  })

  it('can be none, and then nothing ends', () => {
    expect(planRulesOf('none')).toBe(noPlanRules)
    const long = { ...newAccount, endsAt: '2020-01-01T00:00:00.000Z' }
    expect(entitlementOf(long, noPlanRules, '2026-11-20T12:00:00.000Z')).toMatchObject({
      access: 'open',
      messages: { limit: null },
      connections: { limit: null },
    })
    const lately = { ...newAccount, endsAt: '2026-11-19T12:00:00.000Z' }
    expect(entitlementOf(lately, noPlanRules, '2026-11-20T12:00:00.000Z').access).toBe('open')
  })
})

it('asks nobody to confirm an address where the rule does not hold', () => {
  const facts = { ...newAccount, confirmBy: '2026-11-01T12:00:00.000Z' }
  const asked = (sendingNeedsConfirmedEmail: boolean) =>
    entitlementOf(facts, { ...noPlanRules, sendingNeedsConfirmedEmail }, '2026-11-20T12:00:00.000Z')
  expect(asked(true)).toMatchObject({ mustConfirmEmail: true })
  expect(asked(false)).toMatchObject({ mustConfirmEmail: false, confirmEmailBy: null })
})

it('has no limits in a plan without them, as long as it lasts and three days more', () => {
  const facts = { ...newAccount, endsAt: '2026-11-20T12:00:00.000Z', isUnlimited: true }
  const at = (now: string) => entitlementOf(facts, defaultPlanRules, now)
  expect(at('2026-11-23T11:59:59.999Z')).toMatchObject({ plan: 'enterprise', messages: { limit: null } })
  expect(at('2026-11-23T12:00:00.000Z')).toMatchObject({ plan: 'free', messages: { limit: 100 }, access: 'open' })
})
