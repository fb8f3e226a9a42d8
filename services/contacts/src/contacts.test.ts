import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { listParked } from '@prosa/kernel/consumers/engine/parked-queries'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrived, type TestContacts, testContacts } from './testing/test-contacts.ts'

let service: TestContacts
const shop = () => service.shop()

beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

describe('a message that arrives', () => {
  it('adds its author once, waiting, and keeps every message', async () => {
    const { events, receives } = await shop()
    await receives(...['um', 'dois', 'três', 'quatro', 'cinco'].map((text) => arrived(text, {})))
    await until(async () => (await events('MessageReceived')).length === 5)
    expect(await events('ContactAdded')).toHaveLength(1)
    const texts = (await events('MessageReceived')).map(({ data }) => 'content' in data && data.content)
    expect(texts.map((content) => typeof content === 'object' && content.kind === 'text' && content.text)).toEqual([
      'um',
      'dois',
      'três',
      'quatro',
      'cinco',
    ])
  })

  it('changes nothing when it is delivered again', async () => {
    const { events, receives } = await shop()
    const message = arrived('uma vez só', { messageId: 'REPEATED' })
    await receives(message, message, arrived('fim', {}))
    await until(async () => (await events('MessageReceived')).length >= 2)
    expect(await events('MessageReceived')).toHaveLength(2)
  })

  it('leads to one contact whether it comes from the LID, the number, or both, at the same instant', async () => {
    const { events, receives } = await shop()
    const phone = '5511988776655@s.whatsapp.net'
    await receives(
      arrived('pelos dois', { chatJid: '1636@lid', alternateJid: phone }),
      arrived('pelo número', { chatJid: phone, alternateJid: '1636@lid' }),
      arrived('só o LID', { chatJid: '1636@lid' }),
      arrived('sem o nono dígito', { chatJid: '551188776655@s.whatsapp.net' }),
    )
    await until(async () => (await events('MessageReceived')).length === 4)
    expect(await events('ContactAdded')).toHaveLength(1)
    expect(new Set((await events('MessageReceived')).map(({ stream }) => stream)).size).toBe(1)
  })

  it('reopens a resolved conversation, once', async () => {
    const { ask, events, receives } = await shop()
    await receives(arrived('oi', {}))
    const [added] = await until(async () => {
      const found = await events('ContactAdded')
      return found.length > 0 && found
    })
    const id = added?.stream.slice('contact-'.length)
    expect((await ask('PATCH', `/contacts/${id}/status`, { status: 'attending' })).json().serviceStatus).toBe(
      'attending',
    )
    expect((await ask('PATCH', `/contacts/${id}/status`, { status: 'resolved' })).json().serviceStatus).toBe('resolved')
    await receives(arrived('voltei', {}), arrived('mais uma coisa', {}))
    await until(async () => (await events('MessageReceived')).length === 3)
    await until(async () => (await events('ConversationReopened')).length > 0)
    expect(await events('ConversationReopened')).toHaveLength(1)
  })

  it('written on the own phone opens no conversation', async () => {
    const { events, receives } = await shop()
    await receives(arrived('promoção!', { fromMe: true, pushName: null }))
    await until(async () => (await events('MessageSentElsewhere')).length === 1)
    expect((await events('ContactAdded'))[0]?.data).toMatchObject({ origin: 'phone' })
    expect(await events('ConversationReopened')).toEqual([])
  })

  it('from what is no person’s address leaves nothing behind and stops nobody', async () => {
    const { store, pool } = service.ports
    const { connectionId, events, receives } = await shop()
    const nobody = ['0@s.whatsapp.net', '12345678901234567@s.whatsapp.net', '120363@g.us']
    const about = { messageId: 'FROM NOBODY', chatJid: '0@s.whatsapp.net', alternateJid: null, fromMe: false }
    const now = new Date().toISOString()
    await receives(
      ...nobody.map((chatJid) => arrived('de ninguém', { chatJid })),
      arrived('a ninguém', { chatJid: '0@s.whatsapp.net', fromMe: true }),
      { type: 'EditArrived', data: { ...about, editId: 'E1', editedAt: now, content: { kind: 'text', text: 'oi' } } },
      { type: 'DeletionArrived', data: { ...about, deletionId: 'D1', deletedAt: now } },
      { type: 'ReactionArrived', data: { ...about, reactionId: 'R1', reactedAt: now, emoji: '👍' } },
      arrived('de alguém', { chatJid: '1636@lid', alternateJid: '0@s.whatsapp.net' }),
    )
    const last = (await everythingIn(store, 'line')).findLast(({ stream }) => stream === `line-${connectionId}`)
    await until(async () => {
      const reached = await loadCheckpoint(pool, 'receive-on-message-arrived', 1)
      return last !== undefined && reached >= last.position
    })
    expect(await listParked(pool, 10)).toEqual([])
    const recorded = await events('ContactKeyClaimed', 'ContactAdded', 'MessageReceived', 'MessageSentElsewhere')
    expect(recorded.map(({ type }) => type).sort()).toEqual(['ContactAdded', 'ContactKeyClaimed', 'MessageReceived'])
    const content = { kind: 'text', text: 'de alguém' }
    expect(recorded.find(({ type }) => type === 'MessageReceived')?.data).toMatchObject({ content })
    expect(recorded.find(({ type }) => type === 'ContactAdded')?.data).toMatchObject({ phone: null, lid: '1636' })
  })
})

describe('an attendant', () => {
  it('adds a number once and finds the same contact again, also without its ninth digit', async () => {
    const { ask } = await shop()
    const first = await ask('POST', '/contacts', { phone: '5511988776655' })
    expect(first.statusCode).toBe(201)
    expect(first.json()).toMatchObject({ phone: '5511988776655', serviceStatus: 'waiting' })
    const second = await ask('POST', '/contacts', { phone: '55 (11) 8877-6655' })
    expect(second.json().id).toBe(first.json().id)
  })

  it('gets the number that cannot be', async () => {
    const { ask } = await shop()
    const reply = await ask('POST', '/contacts', { phone: '123' })
    expect(reply.json().errors).toEqual([
      { field: 'phone', message: 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)' },
    ])
  })

  it('sends a message once, however often the request is repeated, and sees its ticks', async () => {
    const { ask, connectionId, events, receives } = await shop()
    const { id: contactId } = (await ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const body = { connectionId, contactId, message: 'Olá', messageId: '3EB0AAAAAAAAAAAAAAAAAA' }
    for (let time = 0; time < 3; time++) expect((await ask('POST', '/send-message', body)).statusCode).toBe(202)
    expect(await events('MessageQueued')).toHaveLength(1)
    const about = { messageId: body.messageId, contactId }
    await receives(
      { type: 'MessageDispatched', data: about },
      { type: 'DeliveryReported', data: { ...about, status: 'read' } },
      { type: 'DeliveryReported', data: { ...about, status: 'delivered' } },
    )
    await until(async () => (await events('MessageRead')).length === 1)
    expect(await events('MessageSent', 'MessageDelivered', 'MessageRead')).toHaveLength(2)
  })

  it('cannot send a blank or endless message', async () => {
    const { ask, connectionId } = await shop()
    const { id: contactId } = (await ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const send = (message: string) => ask('POST', '/send-message', { connectionId, contactId, message })
    expect((await send('  \n ')).json().errors[0].message).toBe('Escreva uma mensagem.')
    expect((await send('a'.repeat(4097))).json().errors[0].field).toBe('message')
  })

  it('cannot touch what belongs to another tenant', async () => {
    const [mine, theirs] = [await shop(), await shop()]
    const { id } = (await theirs.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    expect((await mine.ask('PATCH', `/contacts/${id}/status`, { status: 'attending' })).statusCode).toBe(404)
    expect((await mine.ask('POST', `/contacts/${id}/seen`, {})).statusCode).toBe(404)
    const message = { contactId: id, message: 'oi' }
    expect((await mine.ask('POST', '/send-message', { ...message, connectionId: mine.connectionId })).statusCode).toBe(
      404,
    )
    const own = (await mine.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    expect(own.id).not.toBe(id)
    const foreignLine = { contactId: own.id, message: 'oi', connectionId: theirs.connectionId }
    expect((await mine.ask('POST', '/send-message', foreignLine)).statusCode).toBe(404)
  })
})

describe('stream names', () => {
  it('hold no number', async () => {
    const events = await everythingIn(service.ports.store, 'contact', 'chat', 'contactKey')
    expect(events.length).toBeGreaterThan(0)
    expect(events.some(({ stream }) => stream.includes('988776655') || stream.includes('88776655'))).toBe(false)
  })
})
