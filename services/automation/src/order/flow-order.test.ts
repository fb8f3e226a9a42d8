import { randomUUID } from 'node:crypto'
import type { FlowStart } from '@prosa/contracts/flows/flow-document'
import type { WhoAnswers } from '@prosa/contracts/http/automation/flow-order'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import { specify } from '@prosa/kernel/domain/specify'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flowOf, nodeOf, says } from '../run/testing/flow-of.ts'
import { type TestAutomation, testAutomation } from '../run/testing/test-automation.ts'
import { flowOrder, inOrder } from './flow-order.ts'

const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
const given = specify(flowOrder)
const set = (...flowIds: string[]) => ({ type: 'SetFlowOrder', data: { flowIds } }) as const
const wasSet = (...flowIds: string[]) => ({ type: 'FlowOrderSet', data: { flowIds } }) as const

describe('the order of flows', () => {
  it('is what the tenant set', () => given().when(set(one, two)).then(wasSet(one, two)))
  it('is set once, however often it is sent', () => given(wasSet(one, two)).when(set(one, two)).thenNothing())
  it('names a flow once', () =>
    given()
      .when(set(two, one, two))
      .then(wasSet(two, one)))
  it('has those that are not named after the others, as they were published', () => {
    const flows = [one, two, three].map((flowId) => ({ flowId }))
    expect(inOrder(flows, [three]).map(({ flowId }) => flowId)).toEqual([three, one, two])
    expect(inOrder(flows, [randomUUID(), two, one]).map(({ flowId }) => flowId)).toEqual([two, one, three])
    expect(inOrder(flows, [])).toEqual(flows)
  })
})

describe('over HTTP', () => {
  let service: TestAutomation
  beforeAll(async () => {
    service = await testAutomation()
  })
  afterAll(() => service?.stop())

  const starting = (start: FlowStart, message: string, connectionIds: string[] = []) =>
    flowOf([nodeOf('start', 'trigger', { start }), says('ok', message)], ['start > ok'], { connectionIds })
  const any = (message: string, connectionIds?: string[]) => starting({ kind: 'any_message' }, message, connectionIds)
  const cake: FlowStart = { kind: 'keyword', words: ['bolo'], match: 'contains' }

  it('decides which of two flows with the same trigger answers, and is read again as it is', async () => {
    const shop = await service.shop()
    const [first, second] = [await shop.flow(any('primeiro')), await shop.flow(any('segundo'))]
    const ids = async () =>
      ((await shop.get('/api/flow-order')).json() as { flowId: string }[]).map((each) => each.flowId)
    expect(await ids()).toEqual([first, second])
    const headers = { [idempotencyKeyHeader]: randomUUID() }
    for (const _ of [1, 2]) {
      const reply = await shop.put('/api/flow-order', { flowIds: [second, first] }, headers)
      expect([reply.statusCode, reply.json()]).toEqual([200, { flowIds: [second, first] }])
    }
    expect(await ids()).toEqual([second, first])
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    expect(await ana.sent()).toEqual(['segundo'])
  })

  it('takes no flow of another tenant, and none that is unknown', async () => {
    const [shop, other] = [await service.shop(), await service.shop()]
    for (const id of [await other.flow(any('oi')), randomUUID()])
      expect((await shop.put('/api/flow-order', { flowIds: [id] })).statusCode).toBe(404)
  })

  it('explains for each flow why it answers or does not, as a real message does it', async () => {
    const shop = await service.shop()
    const line = randomUUID()
    const flows = {
      cake: await shop.flow(starting(cake, 'bolo')),
      also: await shop.flow(starting(cake, 'bolo também')),
      any: await shop.flow(any('qualquer')),
      elsewhere: await shop.flow(any('outro número', [line])),
      first: await shop.flow(starting({ kind: 'first_contact' }, 'primeira vez')),
      closed: await shop.flow(starting({ kind: 'out_of_hours' }, 'fechado')),
      label: await shop.flow(starting({ kind: 'label_set', labelId: randomUUID() }, 'etiqueta')),
      off: await shop.flow(any('desligado')),
    }
    await shop.record(`flow-${flows.off}`, { type: 'FlowTurnedOff', data: {} })
    const tries = async (text: string, more: object = {}) => {
      const reply = await shop.ask('/api/flow-order/who-answers', { text, connectionId: shop.connectionId, ...more })
      const { speaker, flows: found } = reply.json() as WhoAnswers
      const verdicts = new Map(found.map(({ flowId, verdict }) => [flowId, verdict]))
      const named = Object.entries(flows).map(([name, id]) => [name, verdicts.get(id)])
      return { speaker, ...Object.fromEntries(named) } as Record<string, string | undefined>
    }
    const rest = { elsewhere: 'other_line', closed: 'open', label: 'by_label', off: 'off' }
    await until(async () => (await tries('oi')).off === 'off')
    expect(await tries('Quero bolo')).toEqual({
      ...{ speaker: 'flow', cake: 'answers', also: 'after_another', any: 'less_specific', first: 'not_first' },
      ...rest,
    })
    expect(await tries('Oi', { isNew: true })).toMatchObject({
      cake: 'no_keyword',
      first: 'answers',
      any: 'less_specific',
    })
    expect(await tries('Oi', { connectionId: line })).toMatchObject({ any: 'answers', elsewhere: 'after_another' })
    const hours = {
      timeZone: defaultTimeZone,
      week: Array.from({ length: 7 }, () => [{ from: '08:00', to: '18:00' }]),
      holidays: [],
    }
    await shop.record(`openingHours-${shop.tenant}`, { type: 'OpeningHoursSet', data: hours })
    const night = { at: '2026-11-28T02:00:00.000Z' }
    await until(async () => (await tries('Oi', night)).closed === 'answers')
    expect(await tries('Oi', night)).toMatchObject({ speaker: 'flow', any: 'less_specific' })
    expect(await tries('bolo', night)).toMatchObject({ cake: 'answers', closed: 'less_specific' })
  })

  it('names the reply out of hours where it is what answers', async () => {
    const shop = await service.shop()
    await shop.flow(starting(cake, 'bolo'))
    const hours = {
      timeZone: defaultTimeZone,
      week: Array.from({ length: 7 }, () => [{ from: '08:00', to: '18:00' }]),
      holidays: [],
    }
    const stream = `openingHours-${shop.tenant}`
    await shop.record(stream, { type: 'OpeningHoursSet', data: hours }, { type: 'OutOfHoursReplyTurnedOn', data: {} })
    const speaker = async (text: string, at: string) => {
      const body = { text, connectionId: shop.connectionId, at }
      return ((await shop.ask('/api/flow-order/who-answers', body)).json() as WhoAnswers).speaker
    }
    const [night, day] = ['2026-11-28T02:00:00.000Z', '2026-11-27T15:00:00.000Z']
    expect([await speaker('Oi', night), await speaker('bolo', night), await speaker('Oi', day)]).toEqual([
      'reply',
      'flow',
      'nobody',
    ])
  })
})
