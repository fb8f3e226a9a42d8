import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactHandlers } from './handlers.ts'
import { conversationIn } from './testing/conversation-in.ts'
import { arrived, type TestContacts, testContacts } from './testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const run = { runId: randomUUID(), flowId: randomUUID(), version: 1 }
const requested = (connectionId: string): AnyEvent => ({
  type: 'FlowFinishRequested',
  data: { ...run, step: 3, nodeId: 'end', connectionId, until: '2026-11-28T12:00:00.000Z', thanks: 'Por nada!' },
})
const thanked: AnyEvent = { type: 'FlowThanked', data: { ...run, step: 4, nodeId: 'end', messageId: 'M1' } }
const undone: AnyEvent = { type: 'FlowFinishUndone', data: { ...run, messageId: 'M2' } }

const withFlows = async () => {
  const shop = await conversationIn(service)
  const flows = (...events: AnyEvent[]) => shop.record(`flowRun-${shop.contactId}`, ...events)
  const finishes = () => flows(requested(shop.connectionId))
  const status = async () => (await contactHandlers(service.ports).contacts.load(shop.contactId, shop.tenant)).status
  const comesTo = (wanted: string) => until(async () => (await status()) === wanted)
  const change = (to: 'attending' | 'resolved') =>
    shop.ask('PATCH', `/contacts/${shop.contactId}/status`, { status: to })
  return { ...shop, flows, finishes, status, comesTo, change }
}

/** The reactor has read what came before: a later wish of the same stream was carried out. */
const afterIt = async (shop: Awaited<ReturnType<typeof withFlows>>) => {
  await shop.flows({
    type: 'FlowsPaused',
    data: {
      ...{ pausedAt: '2026-11-25T12:00:00.000Z', reason: 'starts', starts: 10, messages: 12, withinSeconds: 600 },
      ...{ runId: null, occasion: randomUUID() },
    },
  })
  await until(async () => (await shop.events('RobotSuspected')).length > 0)
}

describe('a conversation that a flow finishes', () => {
  it('leaves the queue as resolved by the flow', async () => {
    const shop = await withFlows()
    await shop.finishes()
    await shop.comesTo('resolved')
    const [event, ...others] = await shop.events('ConversationResolved')
    expect(others).toEqual([])
    expect(event).toMatchObject({
      data: { flowId: run.flowId, attendantId: shop.tenant },
      metadata: { actor: { kind: 'flow', id: run.flowId } },
    })
  })

  it('stays with a person who attends it', async () => {
    const shop = await withFlows()
    await shop.change('attending')
    await shop.finishes()
    await afterIt(shop)
    expect([await shop.status(), await shop.events('ConversationResolved')]).toEqual(['attending', []])
  })

  it('is finished again when the contact only thanks', async () => {
    const shop = await withFlows()
    await shop.finishes()
    await shop.comesTo('resolved')
    await shop.receives(arrived('obrigado', { messageId: 'M1' }))
    await shop.comesTo('waiting')
    await shop.flows(thanked)
    await shop.comesTo('resolved')
  })

  it('waits for a person where the contact wrote something else, also if that came before it was finished', async () => {
    const shop = await withFlows()
    await shop.flows(requested(shop.connectionId), undone)
    await until(async () => (await shop.events('ConversationReopened')).length === 1)
    expect(await shop.status()).toBe('waiting')
    expect(await shop.events('ConversationResolved')).toHaveLength(1)
  })

  it('stays finished by the person who finished it since', async () => {
    const shop = await withFlows()
    await shop.finishes()
    await shop.comesTo('resolved')
    await shop.ask('POST', `/contacts/${shop.contactId}/reopen`, {})
    await shop.change('resolved')
    const resolved = await shop.events('ConversationResolved')
    await shop.flows({ ...undone })
    expect(resolved).toHaveLength(2)
    expect(await shop.events('ConversationReopened')).toEqual([])
  })
})
