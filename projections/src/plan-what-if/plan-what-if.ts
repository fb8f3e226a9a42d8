import {
  type PlanChange,
  type PlanDifference,
  type PlanWhatIfPart,
  planWhatIfEndpoints,
} from '@prosa/contracts/http/what-if/plan'
import { maxDifferences } from '@prosa/contracts/http/what-if/walk'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { AccountRules } from '@prosa/product/entitlements/plan-rules'
import type { Ports } from '@prosa/product/ports'
import { daysAsked, maxListed, requireBuilt, walkPart } from '@prosa/product/what-if/walk-part'
import type { FastifyPluginAsync } from 'fastify'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { accessEventsOf, ordersOf, usedEventsOf } from './account-log.ts'
import { changedAccess, changedOrder, type DaysChange, endOfAccess, type Period, paidIn } from './changed-access.ts'
import { compareUsage } from './compare-usage.ts'
import { findNamedUser, findProduct, findUnlimitedProducts, listUsers } from './queries.ts'

type LogPorts = Pick<Ports, 'store' | 'codec' | 'pool'>

/** An absent limit is today's. */
const otherRules = (rules: AccountRules, { free, pro, enterprise }: PlanChange['limits']): AccountRules => ({
  ...rules,
  limits: {
    free: { ...rules.limits.free, ...free },
    pro: { ...rules.limits.pro, ...pro },
    enterprise: { ...rules.limits.enterprise, ...enterprise },
  },
})

const productOf = async ({ pool }: LogPorts, planId: string | null): Promise<string | null> => {
  if (planId === null) return null
  const productId = await findProduct(pool, planId)
  if (productId === undefined) throw refuse('plan_not_found')
  return productId
}

interface Compared {
  difference: PlanDifference | undefined
  hasOtherEnd: boolean
  reachedWas: boolean
  reachedWould: boolean
  amounts: number[]
  isCut: boolean
}

interface Asked extends Pick<PlanChange, 'planId' | 'accessDays' | 'priceCents' | 'trialDays' | 'limits'>, Period {
  /** The account after which this part begins; '' for the first. */
  after: string
}

/** One part of the walk over all accounts: their log folded once as it is, and once with the change. */
const planWhatIf = async (
  ports: LogPorts,
  rules: AccountRules,
  asked: Asked,
  slice: TimeSlice,
): Promise<PlanWhatIfPart> => {
  const { accessDays, trialDays, priceCents, limits, after } = asked
  const period: Period = { from: asked.from, until: asked.until }
  const change: DaysChange = { productId: await productOf(ports, asked.planId), accessDays, trialDays }
  const changedRules = otherRules(rules, limits)
  const unlimitedProducts = await findUnlimitedProducts(ports.pool)
  const since = saoPauloMonth(period.from).from
  const hasOtherLimits = JSON.stringify(changedRules.limits) !== JSON.stringify(rules.limits)

  const compare = async (tenant: string): Promise<Compared | undefined> => {
    const access = (await accessEventsOf(ports, tenant, slice)).filter(
      ({ metadata }) => metadata.recordedAt < period.until,
    )
    if (access.length === 0) return undefined
    const orders = await ordersOf(ports, access, slice)
    const otherOrders = new Map([...orders].map(([id, events]) => [id, changedOrder(events, change, period)]))
    const other = changedAccess(access, otherOrders, change, period)
    const endsAt = { was: endOfAccess(access), would: endOfAccess(other) }
    const amounts = paidIn(orders.values(), change.productId, period)
    const hasOtherEnd = endsAt.was !== endsAt.would
    const unchanged = { reachedWas: false, reachedWould: false, amounts, hasOtherEnd, difference: undefined }
    // Where no limit and no end is other, nothing that was sent would have been refused.
    if (!hasOtherEnd && !hasOtherLimits) return { ...unchanged, isCut: false }

    const used = await usedEventsOf(ports, tenant, since, slice)
    const events = [...access, ...used.events].toSorted((one, next) => (one.position < next.position ? -1 : 1))
    const changed = new Map(other.map((event) => [event.id, event]))
    const of = { tenant, events, changed, rules, otherRules: changedRules, unlimitedProducts, period }
    const { was, would, ...counts } = await compareUsage(of, slice)
    const messages = { was: was.messages, would: would.messages }
    const connections = { was: was.connections, would: would.connections }
    const isOther = [messages, connections].some((each) => each.was !== each.would)
    const isDifferent = hasOtherEnd || isOther || Object.values(counts).some((count) => count > 0)
    const user = isDifferent ? await findNamedUser(ports.pool, tenant) : undefined
    return {
      ...{ amounts, hasOtherEnd, isCut: used.isCut },
      reachedWas: (was.messages ?? was.connections) !== null,
      reachedWould: (would.messages ?? would.connections) !== null,
      difference: user && { userId: tenant, ...user, endsAt, messages, connections, ...counts },
    }
  }

  const { found, ...part } = await walkPart(await listUsers(ports.pool, after, maxListed), slice, compare)
  const known = found.filter((each) => each !== undefined)
  const differences = known.flatMap(({ difference }) => difference ?? [])
  const sum = (of: 'blockedSends' | 'allowedSends' | 'blockedConnections') =>
    differences.reduce((total, each) => total + each[of], 0)
  const amounts = known.flatMap((each) => each.amounts)
  const wasCents = amounts.reduce((total, cents) => total + cents, 0)
  return {
    ...part,
    subscriptions: known.length,
    different: differences.length,
    otherEnds: known.filter(({ hasOtherEnd }) => hasOtherEnd).length,
    reachedLimit: {
      was: known.filter(({ reachedWas }) => reachedWas).length,
      would: known.filter(({ reachedWould }) => reachedWould).length,
    },
    blockedSends: sum('blockedSends'),
    allowedSends: sum('allowedSends'),
    blockedConnections: sum('blockedConnections'),
    revenue: {
      orders: amounts.length,
      wasCents,
      wouldCents: priceCents === undefined ? wasCents : amounts.length * priceCents,
    },
    differences: differences.slice(0, maxDifferences),
    isCut: known.some(({ isCut }) => isCut),
  }
}

const models = ['users', 'plans', 'analytic-messages', 'analytic-connections']

export const planWhatIfRoutes =
  (ports: Ports, rules: AccountRules): FastifyPluginAsync =>
  async (app) => {
    const { roles, readModels, clock } = ports
    const preHandler = readYourWrites(readModels, models)
    route(
      app,
      planWhatIfEndpoints.ask,
      { roles, readings: tenantReadings(ports), preHandler },
      async ({ body, slice }) => {
        requireBuilt(readModels, models)
        const { from, to, ...change } = body
        return planWhatIf(ports, rules, { ...change, ...daysAsked({ from, to }, defaultTimeZone, clock.now()) }, slice)
      },
    )
  }
