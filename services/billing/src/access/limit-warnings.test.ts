import { randomUUID } from 'node:crypto'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { defaultPlanRules, noPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { billingHandlers } from '../handlers.ts'
import { limitWarnings } from './limit-warnings.ts'

const planRules: PlanRules = {
  ...defaultPlanRules,
  limits: { ...defaultPlanRules.limits, pro: { messages: 10, connections: 3 } },
}
let now: string
const clock = { now: () => now }
const entitlements = memoryEntitlements(clock, planRules)
const sent = new Map<string, number>()
let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ clock, entitlements })
})
afterAll(() => ports.close())
beforeEach(() => {
  now = '2026-11-22T12:00:00.000Z'
  sent.clear()
})

const send = (tenant: string, messages: number) => {
  for (let i = 0; i < messages; i++) entitlements.countMessage(tenant, now)
  sent.set(tenant, (sent.get(tenant) ?? 0) + messages)
}
/** As a process that has just started. */
const started = (rules = planRules, entitled: typeof entitlements = entitlements) =>
  limitWarnings(
    billingHandlers(ports),
    { ...ports, entitlements: entitled },
    {
      planRules: rules,
      findBusy: async (_, { atLeast }) =>
        [...sent].flatMap(([id, count]) => (count >= atLeast ? { id, sent: count } : [])),
    },
  )
const warningsOf = async (tenant: string) =>
  (await everythingIn(ports.store, 'subscription'))
    .filter(({ stream }) => stream === `subscription-${tenant}`)
    .map(({ data }) => ('percent' in data ? [data.percent, data.used, data.limit] : []))

it('warns at 80 and at 100 %, once each, and again in another month', async () => {
  const [tenant, other] = [randomUUID(), randomUUID()]
  const process = started()
  send(tenant, 7)
  send(other, 1)
  await process.sweep()
  expect(await warningsOf(tenant)).toEqual([])
  send(tenant, 1)
  for (let i = 0; i < 3; i++) await process.sweep()
  expect(await warningsOf(tenant)).toEqual([[80, 8, 10]])
  send(tenant, 2)
  await process.sweep()
  send(tenant, 5)
  await process.sweep()
  expect(await warningsOf(tenant)).toEqual([
    [80, 8, 10],
    [100, 10, 10],
  ])
  expect(await warningsOf(other)).toEqual([])
  now = '2026-12-02T12:00:00.000Z'
  sent.set(tenant, 0)
  send(tenant, 9)
  await process.sweep()
  expect((await warningsOf(tenant)).at(-1)).toEqual([80, 9, 10])
})

it('warns once over restarts, and where several processes look at the same time', async () => {
  const tenant = randomUUID()
  send(tenant, 8)
  await Promise.all([started().sweep(), started().sweep(), started().sweep()])
  await started().sweep()
  expect(await warningsOf(tenant)).toEqual([[80, 8, 10]])
})

it('says only that all is used where that came at once', async () => {
  const tenant = randomUUID()
  send(tenant, 12)
  await started().sweep()
  await started().sweep()
  expect(await warningsOf(tenant)).toEqual([[100, 12, 10]])
})

it('finds within ten minutes that a lesser plan follows, though nothing was sent', async () => {
  const tenant = randomUUID()
  const process = started({ ...planRules, limits: { ...planRules.limits, free: { messages: 5, connections: 1 } } })
  send(tenant, 5)
  await process.sweep()
  entitlements.change(tenant, { isUnlimited: true })
  send(tenant, 5)
  await process.sweep()
  expect(await warningsOf(tenant)).toEqual([])
  entitlements.change(tenant, { isUnlimited: false })
  await process.sweep()
  expect(await warningsOf(tenant)).toEqual([])
  now = '2026-11-22T12:10:00.000Z'
  await process.sweep()
  expect(await warningsOf(tenant)).toEqual([[100, 10, 10]])
})

it('keeps nobody waiting behind an account that cannot be read', async () => {
  const [broken, tenant] = [randomUUID(), randomUUID()]
  send(broken, 9)
  send(tenant, 9)
  const of = (id: string) => (id === broken ? Promise.reject(new Error('statement timeout')) : entitlements.of(id))
  const process = started(planRules, { ...entitlements, of })
  await process.sweep()
  expect([await warningsOf(broken), await warningsOf(tenant)]).toEqual([[], [[80, 9, 10]]])
})

it('looks at nobody where nothing is limited', async () => {
  const tenant = randomUUID()
  send(tenant, 100)
  await started(noPlanRules).sweep()
  expect(await warningsOf(tenant)).toEqual([])
})
