import { randomUUID } from 'node:crypto'
import type { FlowReplayPart } from '@prosa/contracts/http/flow-runs'
import { host } from '@prosa/kernel/host'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { automation } from '../automation.ts'
import { begins, nodeOf, rowOf, says } from './testing/flow-of.ts'
import { type TestAutomation, testAutomation } from './testing/test-automation.ts'

let service: TestAutomation
beforeAll(async () => {
  service = await testAutomation()
})
afterAll(() => service?.stop())

const calls = nodeOf('person', 'handover', { message: 'Já chamo alguém.' })
const byWord = (word: string) =>
  nodeOf('start', 'trigger', { start: { kind: 'keyword', words: [word], match: 'contains' } })
const handing = rowOf([begins, calls])

type Shop = Awaited<ReturnType<TestAutomation['shop']>>
type Person = Awaited<ReturnType<Shop['contact']>>

const isHandedOver = (person: Person, times = 1) => until(async () => (await person.ends()).length === times)
const everythingIsHandled = async (shop: Shop) => {
  const marker = await shop.contact()
  await marker.writes('oi')
  await isHandedOver(marker)
}
const starts = async (person: Person) => (await person.events('FlowRunStarted')).length
const accepted = (shop: Shop, { id }: Person) =>
  shop.record(`contact-${id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
const finished = async (shop: Shop, { id }: Person) => {
  await shop.record(`contact-${id}`, { type: 'ConversationResolved', data: { attendantId: shop.tenant } })
}

describe('whoever was handed over to a person', () => {
  it('is greeted by no flow while they wait, on either number, and is again once the conversation was finished', async () => {
    const shop = await service.shop()
    await shop.flow(handing)
    await shop.flow(rowOf([byWord('preço'), says('hi', 'R$ 10')]))
    const ana = await shop.contact()
    await ana.writes('oi')
    await isHandedOver(ana)
    await ana.writes('preço?')
    await ana.writes('Alô?', undefined, randomUUID())
    await until(async () => (await ana.events('FlowStartWithheld')).length === 1)
    await accepted(shop, ana)
    await ana.writes('Enfim!')
    await finished(shop, ana)
    await until(async () => (await ana.events('FlowsResumed')).length === 1)
    expect(await ana.sent()).toEqual(['Já chamo alguém.'])
    await ana.writes('preço?')
    await until(async () => (await ana.sent()).length === 2)
    expect(await ana.sent()).toEqual(['Já chamo alguém.', 'R$ 10'])
    expect((await ana.events('FlowStartWithheld')).length).toBe(1)
  })

  it('takes nothing from others: neither of the same shop nor of another', async () => {
    const [shop, stranger] = [await service.shop(), await service.shop()]
    await Promise.all([shop.flow(handing), stranger.flow(handing)])
    const [ana, bia, clara] = [await shop.contact(), await shop.contact(), await stranger.contact()]
    await ana.writes('oi')
    await isHandedOver(ana)
    await Promise.all([bia.writes('oi'), clara.writes('oi')])
    await Promise.all([isHandedOver(bia), isHandedOver(clara)])
  })

  it('is free where a person finished before the reactor saw it, and waits where the transfer came after that', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(handing)
    const [ana, bia] = [await shop.contact(), await shop.contact()]
    const run = { runId: randomUUID(), flowId, version: 1 }
    const endedAt = service.ports.clock.now()
    const handedOver = { type: 'FlowRunEnded', data: { ...run, endedAt, reason: 'handed_over' } } as const
    await shop.record(`flowRun-${ana.id}`, handedOver)
    await accepted(shop, ana)
    await finished(shop, ana)
    await accepted(shop, bia)
    await finished(shop, bia)
    await shop.record(`flowRun-${bia.id}`, handedOver)
    await until(async () => (await ana.events('FlowsResumed')).length === 1)
    await ana.writes('oi')
    await bia.writes('oi')
    await until(async () => (await starts(ana)) === 1)
    await until(async () => (await bia.events('FlowStartWithheld')).length === 1)
    expect(await starts(bia)).toBe(0)
    await accepted(shop, bia)
    await finished(shop, bia)
    await until(async () => (await bia.events('FlowsResumed')).length === 1)
  })

  it('waits on in a process that starts anew, and has nothing in memory', async () => {
    const shop = await service.shop()
    await shop.flow(handing)
    const ana = await shop.contact()
    await ana.writes('oi')
    await isHandedOver(ana)
    const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [] }
    const store = { ...service.ports.store, close: async () => undefined }
    const another = await host([automation], { ...service.ports, store }, options)
    await ana.writes('Alô?')
    await until(async () => (await ana.events('FlowStartWithheld')).length === 1)
    await another.stop()
    await ana.writes('Alô?')
    await everythingIsHandled(shop)
    expect(await starts(ana)).toBe(1)
  })

  it('hands the wait to whom it is merged into, until that conversation was finished', async () => {
    const shop = await service.shop()
    await shop.flow(handing)
    const [ana, survivor] = [await shop.contact(), await shop.contact()]
    await ana.writes('oi')
    await isHandedOver(ana)
    await shop.record(`contact-${ana.id}`, { type: 'ContactAbsorbed', data: { into: survivor.id } })
    await until(async () => (await survivor.events('FlowCountsTakenOver')).length === 1)
    await survivor.writes('oi')
    await ana.writes('Alô?')
    await until(async () => (await survivor.events('FlowStartWithheld')).length === 1)
    await accepted(shop, survivor)
    await finished(shop, survivor)
    await until(async () => (await survivor.events('FlowsResumed')).length === 1)
    await survivor.writes('oi')
    await until(async () => (await starts(survivor)) === 1)
  })

  it('that is erased stays silent', async () => {
    const shop = await service.shop()
    await shop.flow(handing)
    const ana = await shop.contact()
    await ana.writes('oi')
    await isHandedOver(ana)
    await shop.record(`contact-${ana.id}`, { type: 'ContactErased', data: {} })
    await ana.writes('oi')
    await everythingIsHandled(shop)
    expect([await starts(ana), await ana.events('FlowStartWithheld')]).toEqual([1, []])
  })

  it('starts no flow by a label either, as long as nobody finished', async () => {
    const shop = await service.shop()
    const labelId = randomUUID()
    await shop.flow(handing)
    const labelled = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId } })
    await shop.flow(rowOf([labelled, says('hi', 'Bem-vinda ao clube!')]))
    const ana = await shop.contact()
    await ana.writes('oi')
    await isHandedOver(ana)
    await shop.record(`contact-${ana.id}`, { type: 'ContactLabelled', data: { labelId } })
    await until(async () => (await ana.events('FlowStartWithheld')).length === 1)
    expect(await ana.sent()).toEqual(['Já chamo alguém.'])
  })

  it('is handed over the same way when the run is played again', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(handing)
    const ana = await shop.contact()
    await ana.writes('oi')
    await isHandedOver(ana)
    await ana.writes('Alô?')
    await until(async () => (await ana.events('FlowStartWithheld')).length === 1)
    const replay = async () =>
      (await shop.ask(`/api/flows/${flowId}/replay`, { document: handing })).json<FlowReplayPart>()
    await until(async () => (await replay()).runs === 1)
    expect(await replay()).toMatchObject({ runs: 1, same: 1, differences: [] })
  })
})

describe('a transfer of before waits were recorded', () => {
  it('is over where a person finished the conversation since, and holds where nobody did', async () => {
    const shop = await service.shop()
    const [ana, bia] = [await shop.contact(), await shop.contact()]
    const run = { flowId: randomUUID(), version: 1 }
    for (const person of [ana, bia])
      await shop.record(`flowRun-${person.id}`, {
        type: 'FlowRunEnded',
        data: { ...run, runId: randomUUID(), endedAt: '2026-11-20T12:00:00.000Z', reason: 'handed_over' },
      })
    await accepted(shop, ana)
    await finished(shop, ana)
    await shop.flow(handing)
    await ana.writes('oi')
    await bia.writes('oi')
    await until(async () => (await starts(ana)) === 1)
    await until(async () => (await bia.events('FlowStartWithheld')).length === 1)
    expect(await starts(bia)).toBe(0)
  })
})
