import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOwnLines } from '../queries.ts'
import { conversationIn } from '../testing/conversation-in.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()
const numberLinked = (phone: string | null): AnyEvent => ({
  type: 'NumberLinked',
  data: { phone, lid: null, pushName: null },
})
const added: AnyEvent = { type: 'ConnectionAdded', data: { name: 'Outra loja' } }
const opened: AnyEvent = { type: 'LineOpened', data: {} }
const dropped: AnyEvent = { type: 'LineDropped', data: { code: 428, reason: 'lost' } }
const removed: AnyEvent = { type: 'ConnectionRemoved', data: {} }
const refused = { type: 'MessageFailed', code: '463' } as const

type Shop = Awaited<ReturnType<TestContacts['shop']>>

const another = async (shop: Pick<Shop, 'record'>, phone: string | null, ...more: AnyEvent[]) => {
  const connectionId = randomUUID()
  await shop.record(`connection-${connectionId}`, added, numberLinked(phone), opened, ...more)
  await known(connectionId)
  return connectionId
}

/** Waits for the read model. */
const known = (connectionId: string, column = 'is_linked') =>
  until(
    async () =>
      (await service.ports.pool.query(`select from open_line where connection_id = $1 and ${column}`, [connectionId]))
        .rowCount === 1,
  )

const talk = async () => {
  const shop = await conversationIn(service)
  const second = await another(shop, '551130000002')
  await writes(shop, second, 'E por aqui?')
  const sentOver = async () =>
    (await shop.events('MessageQueued')).map(({ data }) => ('connectionId' in data ? data.connectionId : undefined))
  const send = (body: object = {}) =>
    shop.ask('POST', '/send-message', { contactId: shop.contactId, message: 'Entregamos!', ...body })
  const choose = (connectionId: string, contactId = shop.contactId) =>
    shop.ask('POST', `/contacts/${contactId}/line`, { connectionId })
  return { ...shop, first: shop.connectionId, second, sentOver, send, choose }
}

const writes = async (shop: Pick<Shop, 'events' | 'record'>, connectionId: string, text: string, about = {}) => {
  const count = (await shop.events('MessageReceived')).length
  await shop.record(`line-${connectionId}`, arrived(text, about))
  await until(async () => (await shop.events('MessageReceived')).length > count)
}

describe('an answer', () => {
  it('leaves over the number that the person wrote to last, and the reply names it', async () => {
    const { send, sentOver, second, first, contactId, ...shop } = await talk()
    const reply = await send()
    expect([reply.statusCode, reply.json().connectionId]).toEqual([202, second])
    await writes(shop, first, 'Voltei para cá')
    expect((await send()).json().connectionId).toBe(first)
    expect(await sentOver()).toEqual([second, first])
    expect((await shop.events('ConversationAccepted')).map(({ stream }) => stream)).toEqual([`contact-${contactId}`])
  })

  it('is not led astray by a message that its line reports late, nor by one whose clock is years ahead', async () => {
    const { send, second, first, ...shop } = await talk()
    await writes(shop, first, 'escrita antes', { sentAt: anHourAgo() })
    expect((await send()).json().connectionId).toBe(second)
    await writes(shop, first, 'do futuro', { sentAt: '2099-01-01T00:00:00.000Z' })
    expect((await send()).json().connectionId).toBe(first)
    await writes(shop, second, 'e agora aqui')
    expect((await send()).json().connectionId).toBe(second)
  })

  it('follows a wish for a number that the person wrote to before, and refuses one that they never wrote to', async () => {
    const { send, first, second, sentOver, choose, ...shop } = await talk()
    const third = await another(shop, '551130000003')
    expect((await send({ connectionId: first })).json().connectionId).toBe(first)
    const strange = await send({ connectionId: third })
    expect([strange.statusCode, strange.json().type]).toEqual([409, 'line_not_of_conversation'])
    expect(strange.json().title).toMatch(/nunca escreveu/)
    const foreign = await send({ connectionId: (await service.shop()).connectionId })
    expect([foreign.statusCode, foreign.json().type]).toEqual([404, 'connection_not_found'])
    expect((await send({ connectionId: randomUUID() })).statusCode).toBe(404)
    expect((await choose(third)).statusCode).toBe(200)
    expect((await send({ connectionId: third })).json().connectionId).toBe(third)
    expect((await send({ connectionId: second })).json().connectionId).toBe(second)
    expect(await sentOver()).toEqual([first, third, second])
  })

  it('waits for its line while that is down, and never goes over another that is up', async () => {
    const { send, second, record } = await talk()
    await record(`connection-${second}`, dropped)
    const reply = await send()
    expect([reply.statusCode, reply.json()]).toMatchObject([202, { connectionId: second, status: 'queued' }])
  })

  it('is repeated over the line that it was queued for, and tried again over the line of then', async () => {
    const { send, first, second, contactId, sentOver, ...shop } = await talk()
    const messageId = '3EB0CCCCCCCCCCCCCCCCCC'
    expect((await send({ messageId })).json().connectionId).toBe(second)
    await writes(shop, first, 'Voltei')
    expect((await send({ messageId })).json().connectionId).toBe(second)
    expect(await sentOver()).toEqual([second])
    const { type, code } = refused
    await shop.record(`chat-${contactId}`, { type, data: { messageId, code } })
    expect((await send({ messageId })).json().connectionId).toBe(first)
    expect(await sentOver()).toEqual([second, first])
  })

  it('to somebody who never wrote leaves over the first number that is up, then over the same', async () => {
    const shop = await service.shop()
    await shop.lineIsKnown()
    await shop.record(`connection-${shop.connectionId}`, dropped)
    await known(shop.connectionId, 'not is_open')
    const second = await another(shop, '551130000002')
    const added = (await shop.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const send = (body: object = {}) =>
      shop.ask('POST', '/send-message', { contactId: added.id, message: 'Bom dia!', ...body })
    expect((await send()).json().connectionId).toBe(second)
    await shop.record(`connection-${shop.connectionId}`, opened)
    await known(shop.connectionId, 'is_open')
    expect((await send()).json().connectionId).toBe(second)
    expect((await send({ connectionId: shop.connectionId })).json().type).toBe('line_not_of_conversation')
  })

  it('to somebody who never wrote leaves over the number that is wished for; without any number it is refused', async () => {
    const shop = await service.shop()
    await shop.lineIsKnown()
    const second = await another(shop, '551130000002')
    const contact = (await shop.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const body = { contactId: contact.id, message: 'Bom dia!' }
    expect((await shop.ask('POST', '/send-message', { ...body, connectionId: second })).json().connectionId).toBe(
      second,
    )
    expect((await shop.ask('POST', '/send-message', body)).json().connectionId).toBe(second)
    expect(await shop.events('LineChosen')).toEqual([])
    for (const connectionId of [shop.connectionId, second]) {
      await shop.record(`connection-${connectionId}`, removed)
      await known(connectionId, 'is_removed')
    }
    const other = (await shop.ask('POST', '/contacts', { phone: '5511988776656' })).json()
    const alone = await shop.ask('POST', '/send-message', { ...body, contactId: other.id })
    expect([alone.statusCode, alone.json().type]).toEqual([409, 'connection_not_open'])
  })
})

describe('the choice of a number', () => {
  it('holds until the person writes again, and is one fact however often it is made', async () => {
    const { choose, send, events, tenant, first, second, contactId, ...shop } = await talk()
    for (let time = 0; time < 2; time++) {
      const reply = await choose(first)
      expect([reply.statusCode, reply.json()]).toEqual([200, { contactId, connectionId: first }])
    }
    const choices = await events('LineChosen')
    const lastReceivedAt = (await events('MessageReceived'))
      .flatMap(({ data }) => ('sentAt' in data ? [data.sentAt] : []))
      .at(-1)
    expect(choices).toMatchObject([
      { stream: `contact-${contactId}`, data: { connectionId: first, attendantId: tenant, lastReceivedAt } },
    ])
    expect((await send()).json().connectionId).toBe(first)
    await writes({ ...shop, events }, second, 'Oi?')
    expect((await send()).json().connectionId).toBe(second)
    expect((await choose(second)).statusCode).toBe(200)
    expect(await events('LineChosen')).toHaveLength(1)
  })

  it('is refused for numbers that are nobody’s, somebody else’s or never linked, and for contacts that are not there', async () => {
    const { choose, record, events, ask, contactId } = await talk()
    const stranger = await service.shop()
    const neverLinked = randomUUID()
    await record(`connection-${neverLinked}`, added)
    expect((await choose(randomUUID())).json().type).toBe('connection_not_found')
    expect((await choose(stranger.connectionId)).json().type).toBe('connection_not_found')
    expect((await choose(neverLinked)).json().type).toBe('connection_not_open')
    expect((await choose('x')).statusCode).toBe(422)
    const own = stranger.connectionId
    const foreign = await stranger.ask('POST', `/contacts/${contactId}/line`, { connectionId: own })
    expect([foreign.statusCode, foreign.json().type]).toEqual([404, 'contact_not_found'])
    expect((await ask('DELETE', `/contacts/${contactId}`)).statusCode).toBe(200)
    expect((await choose(own)).statusCode).toBe(404)
    expect(await events('LineChosen')).toEqual([])
  })
})

describe('a number that was removed', () => {
  it('leaves the conversation to the one that the person wrote to before', async () => {
    const { send, record, first, second } = await talk()
    await record(`connection-${second}`, removed)
    expect((await send()).json().connectionId).toBe(first)
    const wished = await send({ connectionId: second })
    expect([wished.statusCode, wished.json().type]).toEqual([404, 'connection_not_found'])
  })

  it('leaves a conversation without any to a choice, which the wish for one is', async () => {
    const { send, record, events, first, second } = await talk()
    const third = await another({ record }, '551130000003')
    for (const connectionId of [first, second]) await record(`connection-${connectionId}`, removed)
    const silent = await send()
    expect([silent.statusCode, silent.json().type]).toEqual([409, 'line_removed'])
    expect(silent.json().title).toMatch(/Escolha/)
    expect((await send({ connectionId: third })).json().connectionId).toBe(third)
    expect(await events('LineChosen')).toMatchObject([{ data: { connectionId: third } }])
    expect((await send()).json().connectionId).toBe(third)
  })

  it('goes on as the connection to which the same number was linked again, for answers and for reactions', async () => {
    const { send, record, first, second, contactId, events, ask } = await talk()
    await record(`connection-${second}`, removed)
    await known(second, 'is_removed')
    const again = await another({ record }, '551130000002')
    expect((await send()).json().connectionId).toBe(again)
    expect((await send({ connectionId: again })).json().connectionId).toBe(again)
    const received = (await events('MessageReceived')).at(-1)
    const messageId = received?.type === 'MessageReceived' ? received.data.messageId : ''
    const react = await ask('POST', `/contacts/${contactId}/messages/${messageId}/reaction`, { emoji: '👍' })
    expect(react.statusCode).toBe(202)
    expect(await events('ReactionQueued')).toMatchObject([{ data: { connectionId: again, messageId } }])
    await record(`connection-${first}`, removed)
    const gone = await ask('POST', `/contacts/${contactId}/messages/ASKED/reaction`, { emoji: '👍' })
    expect([gone.statusCode, gone.json().type]).toEqual([409, 'message_line_removed'])
  })

  it('is not one that has another number by now: whoever wrote to the one before is a stranger to it', async () => {
    const { send, record, second, first, events } = await talk()
    await record(`connection-${first}`, removed)
    await record(`connection-${second}`, { type: 'NumberUnlinked', data: {} }, numberLinked('551130000009'), opened)
    await known(second, 'jsonb_array_length(numbers) = 2')
    expect((await send()).json().type).toBe('line_removed')
    expect((await send({ connectionId: second })).json().connectionId).toBe(second)
    expect(await events('LineChosen')).toHaveLength(1)
    expect((await send()).json().connectionId).toBe(second)
  })

  it('leaves who never wrote to the connection over which the business wrote, whatever number it had once', async () => {
    const shop = await service.shop()
    const renumbered = { type: 'NumberUnlinked', data: {} } as const
    const facts = [numberLinked('551130000001'), renumbered, numberLinked('551130000009'), opened]
    await shop.record(`connection-${shop.connectionId}`, ...facts)
    await known(shop.connectionId, 'jsonb_array_length(numbers) = 2')
    const contact = (await shop.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    for (const message of ['Bom dia!', 'Temos bolo.']) {
      const reply = await shop.ask('POST', '/send-message', { contactId: contact.id, message })
      expect([reply.statusCode, reply.json().connectionId]).toEqual([202, shop.connectionId])
    }
  })

  it('goes on where its number was linked anew beside it, for answers and for reactions, as long as it is down itself', async () => {
    const { send, react, record, second, events } = await talk()
    const unlinked = { type: 'NumberUnlinked', data: {} } as const
    await record(`connection-${second}`, unlinked)
    await known(second, 'not is_open')
    const again = await another({ record }, '551130000002')
    await known(again, 'is_open')
    expect((await send()).json().connectionId).toBe(again)
    const received = (await events('MessageReceived')).at(-1)
    const messageId = received?.type === 'MessageReceived' ? received.data.messageId : ''
    expect((await react(messageId, '👍')).statusCode).toBe(202)
    expect(await events('ReactionQueued')).toMatchObject([{ data: { connectionId: again } }])
    await record(`connection-${second}`, numberLinked('551130000002'), opened)
    await known(second, 'is_open')
    expect((await send()).json().connectionId).toBe(second)
  })

  it('costs no more with each that was removed: only the last ones are read, and those that had a number', async () => {
    const { tenant, first, second, send } = await talk()
    const { pool } = service.ports
    await pool.query(
      `insert into open_line (connection_id, owner, is_open, is_linked, is_removed, added_at, numbers)
       select gen_random_uuid()::text, $1, false, true, true, lpad(n::text, 20, '0'),
              case when n % 2 = 0 then '[{"phone":"551130000007","since":""}]'::jsonb else '[]'::jsonb end
       from generate_series(1, 5000) n`,
      [tenant],
    )
    const own = await findOwnLines(pool, tenant)
    expect(own.length).toBeLessThanOrEqual(1000)
    expect(own.slice(-2).map(({ connectionId }) => connectionId)).toEqual([first, second])
    expect((await send()).json().connectionId).toBe(second)
  })
})

describe('a reaction', () => {
  it('leaves over the number that has the message, whatever is wished', async () => {
    const { react, events, first, second } = await talk()
    const stranger = await service.shop()
    expect((await react('ASKED', '👍', { connectionId: second })).statusCode).toBe(202)
    expect(await events('ReactionQueued')).toMatchObject([{ data: { connectionId: first } }])
    expect((await react('ASKED', '❤️', { connectionId: stranger.connectionId })).statusCode).toBe(404)
    expect((await react('ASKED', '❤️', { connectionId: undefined })).statusCode).toBe(202)
  })

  it('is refused while that number is down, and says so', async () => {
    const { react, record, first, second } = await talk()
    await record(`connection-${first}`, dropped)
    expect((await react('ASKED', '👍', { connectionId: second })).json().type).toBe('connection_not_open')
  })
})

describe('two contacts that are one person', () => {
  it('are answered over the later line of both, and each over its own once they are separated', async () => {
    const { send, choose, first, second, contactId, events, ask, ...shop } = await talk()
    const phone = '5511988776655@s.whatsapp.net'
    await writes({ ...shop, events }, first, 'Sou eu por outro endereço', { chatJid: phone })
    const other = await until(async () =>
      (await events('ContactAdded'))
        .map(({ stream }) => stream.slice('contact-'.length))
        .find((id) => id !== contactId),
    )
    await shop.record(`line-${second}`, arrived('do celular', { alternateJid: phone, fromMe: true }))
    await until(async () => (await events('ContactMerged', 'MessageSentElsewhere')).length === 2)
    expect((await send()).json().connectionId).toBe(first)
    expect((await choose(second)).statusCode).toBe(200)
    expect((await send({ contactId: other })).json()).toMatchObject({ contactId, connectionId: second })
    expect((await ask('POST', `/contacts/${contactId}/separate`, { contactId: other })).statusCode).toBe(200)
    expect((await send({ contactId: other })).json().connectionId).toBe(first)
    expect((await send()).json().connectionId).toBe(second)
  })
})
