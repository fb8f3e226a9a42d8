import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { conversationIn } from '../testing/conversation-in.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const conversation = () => conversationIn(service)

describe('what a plan allows', () => {
  const now = '2026-11-20T12:00:00.000Z'
  const limits = { ...defaultPlanRules.limits, pro: { messages: 1000, connections: 3 } }
  const limited = () => {
    const { entitlements } = service.ports
    const before = { ...entitlements }
    const memory = memoryEntitlements(
      { now: () => now },
      { afterEnd: 'ended', limits, sendingNeedsConfirmedEmail: true },
    )
    Object.assign(entitlements, memory)
    onTestFinished(() => void Object.assign(entitlements, before))
    return memory
  }
  const problemOf = (reply: { statusCode: number; json(): { type: string; title: string } }) => {
    const { type, title } = reply.json()
    return [reply.statusCode, type, title]
  }
  const messageId = () => `3EB0${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`

  it('ends three days after the end: nothing new is sent, what came and comes is kept, and what is known is accepted again', async () => {
    const entitlements = limited()
    const { tenant, send, sent, react, receives, events } = await conversation()
    const known = { message: 'Entregamos', messageId: messageId() }
    expect((await send(known)).statusCode).toBe(202)
    entitlements.change(tenant, { endsAt: '2026-11-17T12:00:00.001Z' })
    expect((await send({ message: 'Na carência' })).statusCode).toBe(202)
    entitlements.change(tenant, { endsAt: '2026-11-17T12:00:00.000Z' })
    expect(problemOf(await send({ message: 'Tarde demais' }))).toEqual([
      402,
      'subscription_ended',
      'Seu período terminou. Escolha um plano para voltar a enviar.',
    ])
    expect((await send(known)).statusCode).toBe(202)
    expect(await sent()).toHaveLength(2)
    expect((await react('ASKED', '👍')).statusCode).toBe(202)
    await receives(arrived('Ainda estão aí?', { messageId: 'LATER' }))
    await until(async () => (await events('MessageReceived')).length === 2)
    entitlements.change(tenant, { endsAt: '2026-12-17T12:00:00.000Z' })
    expect((await send({ message: 'De volta' })).statusCode).toBe(202)
    expect(await events('ConversationAccepted')).toHaveLength(1)
  })

  it('sends nothing before the address is confirmed, where that is demanded, and all the rest goes on', async () => {
    const entitlements = limited()
    const { tenant, send, sent, react, receives, events } = await conversation()
    const known = { message: 'Entregamos', messageId: messageId() }
    expect((await send(known)).statusCode).toBe(202)
    entitlements.change(tenant, { confirmBy: '2026-11-20T12:00:00.001Z' })
    expect((await send({ message: 'Ainda dá' })).statusCode).toBe(202)
    entitlements.change(tenant, { confirmBy: now })
    expect(problemOf(await send({ message: 'Não sai' }))).toEqual([
      403,
      'email_not_confirmed',
      'Confirme seu e-mail para enviar mensagens: abra o link que enviamos, ou peça outro.',
    ])
    expect((await send(known)).statusCode).toBe(202)
    expect((await react('ASKED', '👍')).statusCode).toBe(202)
    await receives(arrived('Ainda estão aí?', { messageId: 'LATER' }))
    await until(async () => (await events('MessageReceived')).length === 2)
    const other = await conversation()
    expect((await other.send({ message: 'Outra loja' })).statusCode).toBe(202)
    entitlements.change(tenant, { confirmBy: null })
    expect((await send({ message: 'De volta' })).statusCode).toBe(202)
    expect(await sent()).toHaveLength(3)
  })

  it('is so many messages a month, of which one that failed may be sent again', async () => {
    const entitlements = limited()
    const { tenant, send, receives, contactId, events } = await conversation()
    const first = { message: 'Sim', messageId: messageId() }
    expect((await send(first)).statusCode).toBe(202)
    for (let sent = 0; sent < 1000; sent++) entitlements.countMessage(tenant, now)
    expect(problemOf(await send({ message: 'Mais uma' }))).toEqual([
      402,
      'message_limit_reached',
      'Seu plano permite 1.000 mensagens por mês, e todas já foram enviadas. Escolha um plano maior ou espere o próximo mês.',
    ])
    await receives({ type: 'DispatchFailed', data: { messageId: first.messageId, contactId, code: '463' } })
    await until(async () => (await events('MessageFailed')).length === 1)
    expect((await send(first)).statusCode).toBe(202)
    const other = await conversation()
    expect((await other.send({ message: 'Outra loja' })).statusCode).toBe(202)
  })
})
