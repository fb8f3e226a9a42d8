import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { keyScopes } from '@prosa/contracts/values/key-scopes'
import { until } from '@prosa/kernel/testing/until'
import { defaultBudgets } from '@prosa/product/budgets'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { apiKeys, keyStreamId } from '@prosa/product/keys/api-keys'
import { secretHashOf, writeKey } from '@prosa/product/keys/key-text'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { conversationIn } from '../testing/conversation-in.ts'
import { type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

type Shop = Awaited<ReturnType<TestContacts['shop']>>

/** A key of the shop's with every scope. */
const programOf = async ({ tenant, record }: Shop) => {
  const name = { firstName: 'Marina', lastName: 'Alves', email: `${tenant}@example.com`, credentialId: randomUUID() }
  await record(`user-${tenant}`, { type: 'UserRegistered', data: name })
  const [keyId, secret] = [randomUUID(), 'ab'.repeat(32)]
  const about = { name: 'Loja virtual', reach: 'tenant' as const, scopes: [...keyScopes], withPersonal: false }
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  await apiKeys(service.ports).handle(
    keyStreamId(tenant, keyId),
    { type: 'CreateApiKey', data: { ...about, secretHash: secretHashOf(secret), expiresAt } },
    { commandId: keyId, actor: { kind: 'user', id: tenant }, tenant, causationId: keyId, correlationId: keyId },
  )
  const authorization = `Bearer ${writeKey({ userId: tenant, keyId, secret })}`
  const post = (url: string, payload: object, headers = {}) =>
    service.running.app.inject({ method: 'POST', url, payload, headers: { authorization, ...headers } })
  return { keyId, post, write: (body: object, headers = {}) => post('/api/v1/messages', body, headers) }
}
const conversation = async () => {
  const talk = await conversationIn(service)
  return { ...talk, ...(await programOf(talk)) }
}
const refusalOf = (reply: { statusCode: number; json(): { type: string } }) => [reply.statusCode, reply.json().type]

describe('a message of a program', () => {
  it('accepts nothing, and names key and holder; with accept it takes the conversation over', async () => {
    const { write, contactId, events, tenant, keyId } = await conversation()
    expect((await write({ contactId, text: 'Saiu' })).statusCode).toBe(202)
    expect(await events('ConversationAccepted')).toEqual([])
    expect(await events('MessageQueued')).toMatchObject([
      { data: { automatic: 'program', attendantId: tenant }, metadata: { actor: { kind: 'user', id: tenant, keyId } } },
    ])
    expect((await write({ contactId, text: 'Sou eu', accept: true })).statusCode).toBe(202)
    expect(await events('ConversationAccepted')).toMatchObject([{ data: { attendantId: tenant } }])
  })

  it('is queued once where the reply was lost after it, and where two requests come at once', async () => {
    const { write, contactId, sent } = await conversation()
    const headers = { 'idempotency-key': 'pedido 1' }
    const replies = await Promise.all([1, 2].map(() => write({ contactId, text: 'Saiu' }, headers)))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    await service.ports.pool.query('update idempotent_request set reply = null, claimed_until = null')
    const again = await write({ contactId, text: 'Saiu' }, headers)
    expect([again.statusCode, again.body]).toEqual([202, replies[0]?.body])
    expect(await sent()).toHaveLength(1)
  })

  it('keeps to the plan as an attendant’s, before anybody is looked up', async () => {
    const { write, contactId, tenant, sent } = await conversation()
    const now = '2026-11-20T12:00:00.000Z'
    const oneMessage = { messages: 1, connections: 1 }
    const limits = { ...defaultPlanRules.limits, free: oneMessage, pro: oneMessage }
    const rules = { afterEnd: 'ended', limits, sendingNeedsConfirmedEmail: true } as const
    const before = { ...service.ports.entitlements }
    const plan = memoryEntitlements({ now: () => now }, rules)
    Object.assign(service.ports.entitlements, plan)
    onTestFinished(() => void Object.assign(service.ports.entitlements, before))
    const asked = service.asked.length
    const refused = async () => [
      refusalOf(await write({ contactId, text: 'oi' })),
      refusalOf(await write({ phone: '11977776666', text: 'oi' })),
    ]
    plan.change(tenant, { endsAt: '2026-11-10T12:00:00.000Z' })
    expect(await refused()).toEqual([1, 2].map(() => [402, 'subscription_ended']))
    plan.change(tenant, { endsAt: '2026-12-10T12:00:00.000Z', confirmBy: now })
    expect(await refused()).toEqual([1, 2].map(() => [403, 'email_not_confirmed']))
    plan.change(tenant, { confirmBy: null })
    plan.countMessage(tenant, now)
    expect(await refused()).toEqual([1, 2].map(() => [402, 'message_limit_reached']))
    expect([await sent(), service.asked.length]).toEqual([[], asked])
  })

  it('waits while the line is down, and is refused where no number was ever linked', async () => {
    const { write, contactId, record, connectionId } = await conversation()
    await record(`connection-${connectionId}`, { type: 'LineDropped', data: { code: 428, reason: 'lost' } })
    expect((await write({ contactId, text: 'Saiu' })).json()).toMatchObject({ status: 'queued', isLineOpen: false })
    const fresh = randomUUID()
    await record(`connection-${fresh}`, { type: 'ConnectionAdded', data: { name: 'Outra' } })
    expect(refusalOf(await write({ contactId, text: 'oi', connectionId: fresh }))).toEqual([409, 'connection_not_open'])
  })

  it('looks a new number up within the budget, and says whose it is not', async () => {
    const shop = await service.shop()
    await shop.lineIsKnown()
    const { write, post } = await programOf(shop)
    service.numbers.set('5511900001111', { exists: false, phone: null, lid: null })
    service.tooSoon.add('5511900002222')
    expect(refusalOf(await write({ phone: '5511900001111', text: 'oi' }))).toEqual([422, 'number_not_on_whatsapp'])
    const late = await write({ phone: '5511900002222', text: 'oi' })
    expect([...refusalOf(late), late.headers['retry-after']]).toEqual([429, 'too_many_look_ups', '90'])
    expect(refusalOf(await post('/api/v1/contacts', { phone: '5511900001111' }))).toEqual([
      422,
      'number_not_on_whatsapp',
    ])
    expect(await shop.events('ContactAdded')).toEqual([])
    const taken = await write({ phone: '(11) 90000-3333', text: 'oi' })
    expect([taken.statusCode, (await shop.events('ContactAdded')).length]).toEqual([202, 1])
    const again = await post('/api/v1/contacts', { phone: '5511900003333' })
    expect(again.json()).toMatchObject({ id: taken.json().contactId, status: 'waiting' })
  })

  it('does not go to whoever may be a robot, until a person looked, nor to one who was erased', async () => {
    const { write, contactId, record, sent, ask } = await conversation()
    const marked: AnyEvent = { type: 'RobotSuspected', data: { reason: 'starts', count: 10, withinSeconds: 600 } }
    await record(`contact-${contactId}`, marked)
    expect(refusalOf(await write({ contactId, text: 'oi' }))).toEqual([409, 'contact_may_be_robot'])
    expect(await sent()).toEqual([])
    await ask('POST', `/contacts/${contactId}/not-a-robot`)
    expect((await write({ contactId, text: 'oi' })).statusCode).toBe(202)
    await ask('DELETE', `/contacts/${contactId}`)
    expect(refusalOf(await write({ contactId, text: 'oi' }))).toEqual([404, 'contact_not_found'])
  })

  it('is one of thirty to a contact in ten minutes; attendants go on, and other contacts too', async () => {
    const { write, contactId, send, sent } = await conversation()
    const max = defaultBudgets.flowMessagesPerContact
    for (let each = 0; each < max; each++) expect((await write({ contactId, text: `${each}` })).statusCode).toBe(202)
    const beyond = await write({ contactId, text: 'mais uma' })
    expect(refusalOf(beyond)).toEqual([429, 'too_many_messages_to_contact'])
    expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(500)
    expect((await send({ message: 'Aqui é a Marina' })).statusCode).toBe(202)
    expect(await sent()).toHaveLength(max + 1)
  })

  it('ends with its key and its account, in the next request', async () => {
    const talk = await conversation()
    const { write, contactId, record, tenant, keyId } = talk
    expect((await write({ contactId, text: 'oi' })).statusCode).toBe(202)
    await record(`apiKey-${keyStreamId(tenant, keyId)}`, { type: 'ApiKeyRevoked', data: {} })
    expect(refusalOf(await write({ contactId, text: 'oi' }))).toEqual([401, 'key_over'])
    const other = await conversation()
    await other.record(`user-${other.tenant}`, { type: 'UserErased', data: {} })
    expect(refusalOf(await other.write({ contactId: other.contactId, text: 'oi' }))).toEqual([401, 'key_over'])
    await until(async () => (await other.sent()).length === 0)
  })

  it('has 300 requests a minute for each key, counted whatever they are', async () => {
    const { write } = await conversation()
    const replies = await Promise.all(Array.from({ length: 301 }, () => write({})))
    expect(replies.filter(({ statusCode }) => statusCode === 422)).toHaveLength(300)
    const beyond = replies.find(({ statusCode }) => statusCode === 429)
    expect(beyond?.json().type).toBe('too_many_requests')
    expect(beyond?.headers).toMatchObject({ 'ratelimit-limit': '300', 'ratelimit-remaining': '0' })
    expect(Number(beyond?.headers['retry-after'])).toBeGreaterThan(0)
  })
})
