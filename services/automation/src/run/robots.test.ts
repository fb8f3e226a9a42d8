import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begins, flowOf, nodeOf, rowOf, says } from './testing/flow-of.ts'
import { type TestAutomation, testAutomation } from './testing/test-automation.ts'

let service: TestAutomation
beforeAll(async () => {
  service = await testAutomation()
})
afterAll(() => service?.stop())

const replying = rowOf([begins, says('hi', 'Olá!')])

type Shop = Awaited<ReturnType<TestAutomation['shop']>>
type Person = Awaited<ReturnType<Shop['contact']>>

const writesOften = async (person: Person, times: number) => {
  for (let each = 0; each < times; each++) await person.writes(`oi ${each}`)
}
const isPaused = (person: Person) => until(async () => (await person.events('FlowsPaused')).length > 0)

describe('a robot that answers', () => {
  it('and another one, of another tenant, come to rest by themselves', async () => {
    const shops = [await service.shop(), await service.shop()]
    const sides = await Promise.all(
      shops.map(async (shop) => {
        await shop.flow(replying)
        return shop.contact('O outro robô')
      }),
    )
    const [one, other] = sides
    if (!one || !other) throw new Error('two of them')
    const passOn = async (from: Person, to: Person, done: number) => {
      const sent = await from.sent()
      for (const text of sent.slice(done)) await to.writes(text)
      return sent.length
    }
    await one.writes('oi')
    const passed = [0, 0]
    await until(async () => {
      passed[0] = await passOn(one, other, passed[0] ?? 0)
      passed[1] = await passOn(other, one, passed[1] ?? 0)
      return (await one.events('FlowsPaused')).length > 0
    })
    expect(await one.events('FlowRunStarted')).toHaveLength(10)
    expect((await other.events('FlowRunStarted')).length).toBeLessThanOrEqual(10)
    expect((await one.events('FlowsPaused')).map(({ data }) => data)).toMatchObject([
      { reason: 'starts', starts: 10, messages: 10, withinSeconds: 600, runId: null },
    ])
  })

  it('starts flows again once a person finished the conversation, or said that it is none; not by being accepted', async () => {
    const shop = await service.shop()
    await shop.flow(replying)
    const [ana, bia] = [await shop.contact(), await shop.contact()]
    const attendantId = shop.tenant
    for (const person of [ana, bia]) {
      await writesOften(person, 12)
      await isPaused(person)
    }
    await shop.record(`contact-${ana.id}`, { type: 'ConversationAccepted', data: { attendantId } })
    await ana.writes('oi')
    await shop.record(`contact-${ana.id}`, { type: 'ConversationResolved', data: { attendantId } })
    await shop.record(`contact-${bia.id}`, { type: 'RobotSuspicionCleared', data: { attendantId } })
    await until(async () => (await shop.events('FlowsResumed')).length === 2)
    for (const person of [ana, bia]) {
      expect(await person.events('FlowRunStarted')).toHaveLength(10)
      await person.writes('oi')
      await until(async () => (await person.events('FlowRunStarted')).length === 11)
    }
  })

  it('is not let go by a mark that goes late, after flows have paused anew', async () => {
    const shop = await service.shop()
    await shop.flow(replying)
    const robot = await shop.contact()
    await writesOften(robot, 11)
    await isPaused(robot)
    await shop.record(`contact-${robot.id}`, { type: 'ConversationResolved', data: { attendantId: shop.tenant } })
    await writesOften(robot, 11)
    await until(async () => (await robot.events('FlowsPaused')).length === 2)
    await shop.record(`contact-${robot.id}`, { type: 'RobotSuspicionCleared', data: { attendantId: null } })
    await robot.writes('oi')
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.ends()).length === 1)
    expect(await robot.events('FlowsResumed')).toHaveLength(1)
    expect(await robot.events('FlowRunStarted')).toHaveLength(20)
  })

  it('is merged with its count: the survivor has what is left, whatever is in its own hand at that moment', async () => {
    const shop = await service.shop()
    await shop.flow(replying)
    const [ana, survivor] = [await shop.contact(), await shop.contact()]
    await writesOften(ana, 6)
    await until(async () => (await ana.ends()).length === 6)
    await Promise.all([
      shop.record(`contact-${ana.id}`, { type: 'ContactAbsorbed', data: { into: survivor.id } }),
      writesOften(survivor, 6),
    ])
    await ana.writes('oi de novo')
    await isPaused(survivor)
    expect(await ana.events('FlowRunStarted')).toHaveLength(6)
    expect(await survivor.events('FlowCountsTakenOver')).toHaveLength(1)
    expect((await survivor.events('FlowRunStarted')).length).toBeLessThanOrEqual(6)
    await shop.record(`contact-${ana.id}`, { type: 'ContactRestored', data: { from: survivor.id } })
    await ana.writes('oi')
    await until(async () => (await ana.events('FlowRunStarted')).length === 7)
  })

  it('is merged with its pause, which a separation ends', async () => {
    const shop = await service.shop()
    await shop.flow(replying)
    const [ana, survivor] = [await shop.contact(), await shop.contact()]
    await writesOften(ana, 11)
    await isPaused(ana)
    await shop.record(`contact-${ana.id}`, { type: 'ContactAbsorbed', data: { into: survivor.id } })
    await isPaused(survivor)
    await shop.record(`contact-${ana.id}`, { type: 'ContactRestored', data: { from: survivor.id } })
    await until(async () => (await ana.events('FlowsResumed')).length === 1)
    expect(await survivor.events('FlowsResumed')).toEqual([])
  })

  it('that is erased starts nothing any more, and resumes nothing', async () => {
    const shop = await service.shop()
    await shop.flow(replying)
    const [ana, bia] = [await shop.contact(), await shop.contact()]
    await writesOften(ana, 11)
    await isPaused(ana)
    await shop.record(`contact-${ana.id}`, { type: 'ContactErased', data: {} })
    await ana.writes('oi')
    await bia.writes('oi')
    await until(async () => (await bia.ends()).length === 1)
    expect(await ana.events('FlowRunStarted')).toHaveLength(10)
    expect(await ana.events('FlowsResumed')).toEqual([])
  })

  it('takes nothing from others: another contact of the same tenant, and another tenant, start as ever', async () => {
    const [shop, stranger] = [await service.shop(), await service.shop()]
    await Promise.all([shop.flow(replying), stranger.flow(replying)])
    const [robot, ana, bia] = [await shop.contact(), await shop.contact(), await stranger.contact()]
    await writesOften(robot, 11)
    await isPaused(robot)
    for (const person of [ana, bia]) {
      await person.writes('oi')
      await until(async () => (await person.ends()).length === 1)
    }
    expect(await stranger.events('FlowsPaused')).toEqual([])
  })
})

describe('a circle that was published before circles were refused', () => {
  it('sends 20 messages to who does not answer, and tries no more', async () => {
    const shop = await service.shop()
    await shop.flow(flowOf([begins, says('hi', 'Oi!')], ['start > hi', 'hi > hi']))
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.sent()).toHaveLength(20)
    expect(await ana.ends()).toEqual(['unanswered'])
  })

  it('is refused as a draft, with the steps of the circle named, and ends the same way when it is tried out', async () => {
    const shop = await service.shop()
    const circle = flowOf(
      [begins, says('hi', 'Oi!'), nodeOf('rest', 'delay', { delay: '60' })],
      ['start > hi', 'hi > rest', 'rest > hi'],
    )
    const flowId = await shop.flow(circle)
    const checked = await shop.ask('/api/flows/check', { document: circle })
    expect(checked.json()).toMatchObject([{ kind: 'endless_circle', severity: 'error', nodeIds: ['hi', 'rest'] }])
    expect(checked.json()[0].sentence).toContain('Mensagem “Oi!” → Delay de 1 minuto → Mensagem “Oi!”')
    const inputs = [{ kind: 'message', text: 'oi' }, ...Array.from({ length: 25 }, () => ({ kind: 'skip_time' }))]
    const tried = await shop.ask(`/api/flows/${flowId}/test`, { document: circle, inputs, contact: {} })
    const steps: { step: { kind: string; reason?: string } }[] = tried.json().steps
    expect(steps.filter(({ step }) => step.kind === 'message')).toHaveLength(20)
    expect(steps.at(-1)?.step).toMatchObject({ kind: 'ended', reason: 'unanswered' })
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    const replayed = await until(async () => {
      const reply = (await shop.ask(`/api/flows/${flowId}/replay`, { document: circle })).json()
      return reply.runs === 1 && reply
    })
    expect(replayed).toMatchObject({ same: 1, differences: [] })
  })
})
