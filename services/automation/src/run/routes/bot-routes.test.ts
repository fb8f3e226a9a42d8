import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asks, begins, nodeOf, rowOf, says } from '../testing/flow-of.ts'
import { type TestAutomation, testAutomation } from '../testing/test-automation.ts'

let prosa: TestAutomation
beforeAll(async () => {
  prosa = await testAutomation()
})
afterAll(() => prosa.stop())

const opened: AnyEvent = { type: 'LineOpened', data: {} }
const dropped: AnyEvent = { type: 'LineDropped', data: { code: 428, reason: 'lost' } }
const never = nodeOf('start', 'trigger', { start: { kind: 'keyword', words: ['nunca'], match: 'equals' } })
const notice = rowOf([never, says('hi', 'Seu pedido saiu, {nome}.')], { again: 'never' })

/** With a conversation over an open line. */
const scene = async () => {
  const shop = await prosa.shop()
  const contact = await shop.contact()
  await shop.record(`connection-${shop.connectionId}`, opened)
  const flowId = await shop.flow(notice)
  await contact.writes('oi')
  const start = (id = flowId, more: Record<string, string> = {}) =>
    shop.ask(`/api/whatsapp/contacts/${contact.id}/flow-runs`, { flowId: id }, more)
  const pause = (hours: number | null = null) => shop.ask(`/api/whatsapp/contacts/${contact.id}/bot-pause`, { hours })
  const refusal = async (asked: ReturnType<typeof start>) => {
    const reply = await asked
    return [reply.statusCode, reply.json().type]
  }
  return { shop, contact, flowId, start, pause, refusal }
}

describe('a flow that an attendant starts', () => {
  it('starts whatever its trigger and however often it ran, once for a request', async () => {
    const { contact, start, flowId } = await scene()
    const key = { 'idempotency-key': randomUUID() }
    const [first, again] = [await start(flowId, key), await start(flowId, key)]
    expect([first.statusCode, first.json()]).toEqual([
      201,
      { id: again.json().id, contactId: contact.id, flowId, version: 1 },
    ])
    expect(await contact.sent()).toEqual(['Seu pedido saiu, Ana.'])
    expect(await contact.events('FlowRunStarted')).toMatchObject([
      { data: { startedBy: 'attendant', startMessageId: null }, metadata: { actor: { kind: 'user' } } },
    ])
    expect((await start()).statusCode).toBe(201)
  })

  it('is refused in words while another runs, the line is down, or somebody attends', async () => {
    const { shop, contact, start, refusal } = await scene()
    const question = await shop.flow(rowOf([never, asks('q', 'Que sabor?')]))
    expect((await start(question)).statusCode).toBe(201)
    expect(await refusal(start())).toEqual([409, 'flow_running'])
    await shop.record(`connection-${shop.connectionId}`, dropped)
    expect(await refusal(start())).toEqual([409, 'connection_not_open'])
    await shop.record(`connection-${shop.connectionId}`, opened)
    await shop.record(`contact-${contact.id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
    expect(await refusal(start())).toEqual([409, 'conversation_attended'])
  })

  it('is refused with a flow that is off, unknown or another’s, and with a contact who never wrote or is another’s', async () => {
    const { shop, flowId, start, refusal } = await scene()
    const stranger = await scene()
    expect(await refusal(start(stranger.flowId))).toEqual([404, 'flow_not_found'])
    expect(await refusal(start(randomUUID()))).toEqual([404, 'flow_not_found'])
    const path = (id: string) => `/api/whatsapp/contacts/${id}/flow-runs`
    expect(await refusal(shop.ask(path(stranger.contact.id), { flowId }))).toEqual([404, 'contact_not_found'])
    expect(await refusal(shop.ask(path((await shop.contact()).id), { flowId }))).toEqual([
      409,
      'flow_conversation_needed',
    ])
    await shop.record(`flow-${flowId}`, { type: 'FlowTurnedOff', data: {} })
    expect(await refusal(start())).toEqual([409, 'flow_turned_off'])
    expect((await shop.ask(path(randomUUID()), { flowId: 'x' })).json().errors).toEqual([
      { field: 'flowId', message: 'Escolha um fluxo.' },
    ])
  })
})

describe('a pause of the bot', () => {
  it('stops the run, refuses starts until it is resumed, and says until when', async () => {
    const { shop, contact, start, pause, refusal } = await scene()
    await start(await shop.flow(rowOf([begins, asks('q', 'Que sabor?')])))
    const paused = await pause(2)
    expect(paused.statusCode).toBe(200)
    expect(Date.parse(paused.json().until) - Date.now()).toBeGreaterThan(1.9 * 3_600_000)
    await until(async () => (await contact.ends()).includes('stopped'))
    expect(await refusal(start())).toEqual([409, 'bot_paused'])
    const resumed = await shop.undo(`/api/whatsapp/contacts/${contact.id}/bot-pause`)
    expect(resumed.statusCode).toBe(200)
    expect((await start()).statusCode).toBe(201)
  })

  it('is nobody else’s to set, and asks for a length that makes sense', async () => {
    const { shop, pause } = await scene()
    const stranger = await scene()
    const foreign = await shop.ask(`/api/whatsapp/contacts/${stranger.contact.id}/bot-pause`, { hours: null })
    expect([foreign.statusCode, foreign.json().type]).toEqual([404, 'contact_not_found'])
    for (const hours of [0, -1, 1.5, 721]) expect((await pause(hours)).statusCode).toBe(422)
  })
})
