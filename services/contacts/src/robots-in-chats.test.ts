import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactHandlers } from './handlers.ts'
import { markRobotsOnFlowsPaused } from './mark-robots-on-flows-paused.ts'
import { conversationIn } from './testing/conversation-in.ts'
import { arrived, type TestContacts, testContacts } from './testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const paused: AnyEvent = {
  type: 'FlowsPaused',
  data: {
    ...{ pausedAt: '2026-11-25T12:00:00.000Z', reason: 'starts', starts: 10, messages: 12, withinSeconds: 600 },
    ...{ runId: null, occasion: 'M10' },
  },
}
const resumed: AnyEvent = { type: 'FlowsResumed', data: { resumedAt: '2026-11-25T12:30:00.000Z' } }

const withFlows = async () => {
  const shop = await conversationIn(service)
  const stream = `flowRun-${shop.contactId}`
  const flows = (...events: AnyEvent[]) => shop.record(stream, ...events)
  const contact = () => contactHandlers(service.ports).contacts.load(shop.contactId, shop.tenant)
  const turn = (status: 'attending' | 'resolved') => shop.ask('PATCH', `/contacts/${shop.contactId}/status`, { status })
  const marks = () => shop.events('RobotSuspected', 'RobotSuspicionCleared')
  const isMarked = () => until(async () => (await contact()).isSuspected)
  const ends = (reason: 'unanswered' | 'handed_over') =>
    flows({
      type: 'FlowRunEnded',
      data: {
        ...{ runId: randomUUID(), flowId: randomUUID(), version: 1 },
        ...{ endedAt: '2026-11-25T12:00:00.000Z', reason },
      },
    })
  const notARobot = (headers: Record<string, string> = {}) =>
    shop.request('POST', `/api/whatsapp/contacts/${shop.contactId}/not-a-robot`, {}, headers)
  return { ...shop, flows, contact, turn, marks, isMarked, ends, notARobot }
}

describe('a contact with whom flows paused', () => {
  it('is marked with the cause, once, and waits for a person, also where the conversation was finished', async () => {
    const shop = await withFlows()
    await shop.turn('attending')
    await shop.turn('resolved')
    await shop.flows(paused, paused)
    await shop.isMarked()
    expect((await shop.contact()).status).toBe('waiting')
    await shop.flows(resumed)
    await until(async () => (await shop.events('RobotSuspicionCleared')).length === 1)
    const [mark, ...others] = await shop.marks()
    expect(others).toHaveLength(1)
    expect(mark?.data).toEqual({ reason: 'starts', count: 10, withinSeconds: 600 })
    expect(await shop.events('ConversationReopened')).toHaveLength(1)
  })

  it('keeps its mark while somebody attends, and loses it with the conversation, when it is finished', async () => {
    const shop = await withFlows()
    await shop.flows(paused)
    await shop.isMarked()
    await shop.turn('attending')
    expect((await shop.contact()).isSuspected).toBe(true)
    await shop.turn('resolved')
    expect((await shop.contact()).isSuspected).toBe(false)
    await shop.flows(resumed)
    await shop.flows(paused)
    await until(async () => (await shop.marks()).length === 2)
    expect((await shop.marks()).map(({ type }) => type)).toEqual(['RobotSuspected', 'RobotSuspected'])
  })

  it('loses its mark when somebody says that it is no robot: once, and nobody of another tenant can', async () => {
    const shop = await withFlows()
    await shop.flows(paused)
    await shop.isMarked()
    const stranger = await service.shop()
    expect((await stranger.ask('POST', `/contacts/${shop.contactId}/not-a-robot`, {})).statusCode).toBe(404)
    const replies = [await shop.notARobot({ [idempotencyKeyHeader]: 'once' }), await shop.notARobot()]
    expect(replies.map((reply) => [reply.statusCode, reply.json()])).toEqual([
      [200, { id: shop.contactId }],
      [200, { id: shop.contactId }],
    ])
    await shop.flows(resumed, paused)
    await until(async () => (await shop.marks()).length > 2)
    expect((await shop.marks()).map(({ type, data }) => [type, data])).toEqual([
      ['RobotSuspected', expect.anything()],
      ['RobotSuspicionCleared', { attendantId: shop.tenant }],
      ['RobotSuspected', expect.anything()],
    ])
  })

  it('loses its mark where flows go on for another reason', async () => {
    const shop = await withFlows()
    await shop.flows(paused, resumed)
    await until(async () => (await shop.marks()).length === 2)
    expect((await shop.contact()).isSuspected).toBe(false)
    expect((await shop.marks())[1]?.data).toEqual({ attendantId: null })
  })

  it('has no mark left once it is erased, and gets none any more', async () => {
    const shop = await withFlows()
    await shop.flows(paused)
    await shop.isMarked()
    await shop.request('DELETE', `/api/whatsapp/contacts/${shop.contactId}`)
    expect(await shop.contact()).toMatchObject({ status: 'erased', isSuspected: false })
    await shop.flows(resumed, paused)
    const other = await withFlows()
    await other.flows(paused)
    await other.isMarked()
    expect(await shop.marks()).toHaveLength(1)
    expect((await shop.notARobot()).statusCode).toBe(404)
  })

  it('that was merged meanwhile marks nobody: the survivor’s flows pause by themselves', async () => {
    const shop = await withFlows()
    await shop.receives(arrived('oi', { chatJid: '77@lid', messageId: 'OTHER' }))
    const [, other] = await until(async () => {
      const found = await shop.events('ContactAdded')
      return found.length === 2 && found
    })
    const survivor = other?.stream.slice('contact-'.length) ?? ''
    await shop.record(`contact-${shop.contactId}`, { type: 'ContactAbsorbed', data: { into: survivor } })
    await shop.flows(paused)
    await shop.record(`flowRun-${survivor}`, paused)
    await until(async () => (await shop.marks()).length === 1)
    expect((await shop.marks()).map(({ stream }) => stream)).toEqual([`contact-${survivor}`])
  })
})

describe.each(['unanswered', 'handed_over'] as const)('a run that ended as %s', (reason) => {
  it('lets a finished conversation wait for a person, without a mark', async () => {
    const shop = await withFlows()
    await shop.turn('attending')
    await shop.turn('resolved')
    await shop.ends(reason)
    await until(async () => (await shop.contact()).status === 'waiting')
    expect(await shop.marks()).toEqual([])
  })

  it('takes the conversation from nobody who attends it', async () => {
    const shop = await withFlows()
    await shop.turn('attending')
    await shop.ends(reason)
    await shop.flows(paused)
    await shop.isMarked()
    expect((await shop.contact()).status).toBe('attending')
    expect(await shop.events('ConversationReopened')).toEqual([])
  })

  it('does not reopen what a person has finished since, however late it is handled', async () => {
    const shop = await withFlows()
    await shop.turn('attending')
    await shop.ends(reason)
    await shop.turn('resolved')
    const stream = `flowRun-${shop.contactId}`
    const recorded = (await everythingIn(service.ports.store, 'flowRun')).filter((event) => event.stream === stream)
    const [ended] = await service.ports.codec.decode(recorded)
    if (ended?.type !== 'FlowRunEnded') throw new Error('the end of a run')
    const handlers = { ...contactHandlers(service.ports), log: service.ports.log }
    await markRobotsOnFlowsPaused(handlers).on.FlowRunEnded?.(ended)
    expect((await shop.contact()).status).toBe('resolved')
    await shop.ends(reason)
    await until(async () => (await shop.contact()).status === 'waiting')
  })
})
