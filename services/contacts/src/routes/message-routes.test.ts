import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { gif, png } from '@prosa/kernel/testing/hostile-pictures'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordMessageIds, sentMessageIds } from '../chat/sent-message-ids.ts'
import { conversationIn } from '../testing/conversation-in.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

type Shop = Awaited<ReturnType<TestContacts['shop']>>

/** A JPEG header without an image. */
const jpeg = (bytes: number) => {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])
  head.writeUInt16BE(bytes - 6, 4)
  return Buffer.concat([head, Buffer.alloc(bytes - 8, 7), Buffer.from([0xff, 0xd9])]).toString('base64')
}

const conversation = () => conversationIn(service)

const stored = async (
  shop: Shop,
  about: Partial<Extract<AnyEvent, { type: 'MediaStored' }>['data']> = {},
  ...then: AnyEvent[]
) => {
  const id = randomUUID()
  const data = { contactId: null, mediaType: 'image/jpeg', bytes: 1000, sha256: '00', ...about }
  await shop.record(`media-${id}`, { type: 'MediaStored', data }, ...then)
  return id
}

describe('the id of a message', () => {
  const messageId = () => `3EB0${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`
  const two = async () => {
    const shop = await conversation()
    await shop.receives(arrived('Oi', { messageId: 'OTHER', chatJid: '77@lid' }))
    const received = await until(async () => {
      const found = await shop.events('MessageReceived')
      return found.length > 1 && found
    })
    const otherId = received.map(({ stream }) => stream.slice('chat-'.length)).find((id) => id !== shop.contactId)
    return { ...shop, otherId }
  }

  it('belongs to the contact it was used for first: to another nothing goes under it', async () => {
    const { send, sent, otherId } = await two()
    const id = messageId()
    expect((await send({ message: 'Segredo da primeira', messageId: id })).statusCode).toBe(202)
    const reused = await send({ message: 'Olá', messageId: id, contactId: otherId })
    expect([reused.statusCode, reused.json().type]).toEqual([409, 'message_id_taken'])
    expect(reused.json().title).toMatch(/Envie de novo/)
    expect((await send({ message: 'Segredo da primeira', messageId: id })).statusCode).toBe(202)
    expect(await sent()).toMatchObject([{ text: 'Segredo da primeira' }])
  })

  it('belongs to one of two contacts, and to the other never, when both are written to at once', async () => {
    const { send, sent, otherId } = await two()
    const id = messageId()
    const replies = await Promise.all([
      send({ message: 'um', messageId: id }),
      send({ message: 'dois', messageId: id, contactId: otherId }),
    ])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([202, 409])
    expect(await sent()).toHaveLength(1)
  })

  it('is still the first contact’s when the table of ids was thrown away and was read anew from the log', async () => {
    const { send, otherId, tenant } = await two()
    const id = messageId()
    await send({ message: 'um', messageId: id })
    await until(async () => (await claimsOf(tenant)).length === 1)
    await service.ports.pool.query('delete from sent_message_id where owner = $1', [tenant])
    const queued = (await everythingIn(service.ports.store, 'chat')).filter(({ type }) => type === 'MessageQueued')
    const reactor = recordMessageIds(sentMessageIds(service.ports.pool))
    for (const event of queued) await reactor.on.MessageQueued?.(event as StoredOf<'MessageQueued'>)
    expect((await send({ message: 'dois', messageId: id, contactId: otherId })).statusCode).toBe(409)
  })
})

const claimsOf = async (tenant: string) =>
  (await service.ports.pool.query('select from sent_message_id where owner = $1', [tenant])).rows

const added: AnyEvent = { type: 'ConnectionAdded', data: { name: 'Outra loja' } }
const linking: AnyEvent = { type: 'LinkingStarted', data: { until: new Date().toISOString() } }
const linked: AnyEvent = { type: 'NumberLinked', data: { phone: null, lid: '77', pushName: null } }
const over = async (talk: Awaited<ReturnType<typeof conversation>>, ...life: AnyEvent[]) => {
  const connectionId = randomUUID()
  await talk.record(`connection-${connectionId}`, ...life)
  return connectionId
}

const about = (chatJid: string, messageId: string) => ({ chatJid, alternateJid: null, messageId, fromMe: false })

describe('an answer', () => {
  it('accepts a conversation that waits, once, and is refused without accepting anything', async () => {
    const talk = await conversation()
    const { send, events, tenant, contactId, record } = talk
    expect((await send({ message: '' })).statusCode).toBe(422)
    expect(await events('ConversationAccepted')).toEqual([])
    const messageId = '3EB0BBBBBBBBBBBBBBBBBB'
    expect((await send({ message: 'Entregamos!', messageId })).statusCode).toBe(202)
    expect((await send({ message: 'Até as 18h' })).statusCode).toBe(202)
    const accepted = await events('ConversationAccepted')
    expect(accepted).toMatchObject([{ stream: `contact-${contactId}`, data: { attendantId: tenant } }])
    await record(
      `contact-${contactId}`,
      { type: 'ConversationResolved', data: { attendantId: tenant } },
      { type: 'ConversationReopened', data: {} },
    )
    await record(`chat-${contactId}`, { type: 'MessageFailed', data: { messageId, code: '463' } })
    expect((await send({ message: 'Entregamos!', messageId })).statusCode).toBe(202)
    expect(await events('MessageQueued')).toHaveLength(3)
    expect(await events('ConversationAccepted')).toHaveLength(1)
    const neverLinked = await over(talk, added, linking)
    expect((await send({ message: 'Alô?', connectionId: neverLinked })).statusCode).toBe(409)
    expect(await events('ConversationAccepted')).toHaveLength(1)
  })

  it('written on the linked phone accepts nothing: nobody took the conversation here', async () => {
    const { receives, events } = await conversation()
    await receives(arrived('Entregamos sim', { messageId: 'PHONE', fromMe: true }))
    await until(async () => (await events('MessageSentElsewhere')).length === 1)
    expect(await events('ConversationAccepted')).toEqual([])
  })

  it('quotes a message with the words that it has now', async () => {
    const { send, sent, receives, events } = await conversation()
    await send({ message: 'Sim', quotedMessageId: 'ASKED' })
    await receives({
      type: 'EditArrived',
      data: {
        ...about('1636@lid', 'ASKED'),
        editId: 'E1',
        editedAt: new Date().toISOString(),
        content: { kind: 'text', text: 'Vocês entregam hoje?' },
      },
    })
    await until(async () => (await events('MessageEdited')).length === 1)
    await send({ message: 'Hoje também', quotedMessageId: 'ASKED' })
    expect(await sent()).toMatchObject([
      { kind: 'text', text: 'Sim', quoted: { messageId: 'ASKED', text: 'Vocês entregam?' } },
      { kind: 'text', text: 'Hoje também', quoted: { messageId: 'ASKED', text: 'Vocês entregam hoje?' } },
    ])
  })

  it('cannot quote what was never written there, or was taken back', async () => {
    const [mine, other] = [await conversation(), await conversation()]
    await other.send({ message: 'oi', messageId: '3EB0AAAAAAAAAAAAAAAAAA' })
    const foreign = await mine.send({ message: 'oi', quotedMessageId: '3EB0AAAAAAAAAAAAAAAAAA' })
    expect([foreign.statusCode, foreign.json().type]).toEqual([404, 'message_not_found'])
    await mine.receives({
      type: 'DeletionArrived',
      data: { ...about('1636@lid', 'ASKED'), deletionId: 'D1', deletedAt: new Date().toISOString() },
    })
    await until(async () => (await mine.events('MessageDeleted')).length === 1)
    expect((await mine.send({ message: 'oi', quotedMessageId: 'ASKED' })).statusCode).toBe(404)
    expect(await mine.sent()).toEqual([])
  })
})

describe('a message that is written while the line is down', () => {
  it.each<[string, AnyEvent]>([
    ['drops', { type: 'LineDropped', data: { code: 428, reason: 'lost' } }],
    ['is taken over by another program', { type: 'ConnectionReplaced', data: {} }],
    ['is refused by WhatsApp', { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } }],
    ['is unlinked by the phone', { type: 'NumberUnlinked', data: {} }],
    ['is disconnected here', { type: 'ConnectionDisconnected', data: {} }],
  ])('is stored once, to wait, when the number %s', async (_, event) => {
    const talk = await conversation()
    const connectionId = await over(talk, added, linking, linked, { type: 'LineOpened', data: {} }, event)
    await talk.record(`line-${connectionId}`, arrived('E por aqui?'))
    await until(async () => (await talk.events('MessageReceived')).length === 2)
    for (const again of [[], [linking]]) {
      if (again.length > 0) await talk.record(`connection-${connectionId}`, ...again)
      const reply = await talk.send({ connectionId, message: 'Já volto', messageId: '3EB0AAAAAAAAAAAAAAAAAA' })
      expect([reply.statusCode, reply.json().status]).toEqual([202, 'queued'])
    }
    expect(await talk.sent()).toEqual([{ kind: 'text', text: 'Já volto' }])
  })

  it('is refused where no number was ever linked, and where the connection was removed', async () => {
    const talk = await conversation()
    const refusalOf = async (...life: AnyEvent[]) => {
      const reply = await talk.send({ connectionId: await over(talk, ...life), message: 'Já volto' })
      return [reply.statusCode, reply.json().type]
    }
    const expired: AnyEvent = { type: 'LinkingExpired', data: {} }
    expect(await refusalOf(added, linking)).toEqual([409, 'connection_not_open'])
    expect(await refusalOf(added, linking, expired)).toEqual([409, 'connection_not_open'])
    const removed: AnyEvent = { type: 'ConnectionRemoved', data: {} }
    expect(await refusalOf(added, linking, linked, removed)).toEqual([404, 'connection_not_found'])
    expect(await talk.sent()).toEqual([])
  })
})

describe('a message that failed', () => {
  it('is tried again without what it answered, when that was taken back meanwhile', async () => {
    const { send, sent, receives, events, contactId } = await conversation()
    const answer = { message: 'Sim', messageId: '3EB0AAAAAAAAAAAAAAAAAA', quotedMessageId: 'ASKED' }
    await send(answer)
    await receives(
      { type: 'DispatchFailed', data: { messageId: answer.messageId, contactId, code: '463' } },
      {
        type: 'DeletionArrived',
        data: { ...about('1636@lid', 'ASKED'), deletionId: 'D1', deletedAt: new Date().toISOString() },
      },
    )
    await until(async () => (await events('MessageFailed', 'MessageDeleted')).length === 2)
    expect((await send(answer)).statusCode).toBe(202)
    expect(await sent()).toEqual([
      { kind: 'text', text: 'Sim', quoted: { messageId: 'ASKED', text: 'Vocês entregam?' } },
      { kind: 'text', text: 'Sim' },
    ])
  })

  it('answers the same as before when it is tried again', async () => {
    const { send, sent, receives, events, contactId } = await conversation()
    const answer = { message: 'Sim', messageId: '3EB0AAAAAAAAAAAAAAAAAA', quotedMessageId: 'ASKED' }
    await send(answer)
    await receives({ type: 'DispatchFailed', data: { messageId: answer.messageId, contactId, code: '463' } })
    await until(async () => (await events('MessageFailed')).length === 1)
    await send(answer)
    const [first, second] = await sent()
    expect(second).toEqual(first)
  })
})

describe('a file', () => {
  it('goes out as it is, with the text as its caption', async () => {
    const talk = await conversation()
    const id = await stored(talk, { mediaType: 'image/png', bytes: 4321 })
    const preview = jpeg(300)
    const reply = await talk.send({
      message: 'O cardápio',
      media: { id, as: 'image', width: 800, height: 600, preview },
      quotedMessageId: 'ASKED',
    })
    expect(reply.statusCode).toBe(202)
    expect(await talk.sent()).toEqual([
      {
        kind: 'image',
        file: { id, mediaType: 'image/png', bytes: 4321, source: null },
        caption: 'O cardápio',
        preview,
        width: 800,
        height: 600,
        quoted: { messageId: 'ASKED', text: 'Vocês entregam?' },
      },
    ])
  })

  it('may be a voice message, without words, or a document, whose name is only a name', async () => {
    const talk = await conversation()
    const voice = await stored(talk, { mediaType: 'audio/ogg; codecs=opus' })
    const waveform = Buffer.from([0, 50, 100]).toString('base64')
    await talk.send({ media: { id: voice, as: 'voice', seconds: 3, waveform } })
    const document = await stored(talk, { mediaType: 'application/pdf' })
    await talk.send({ media: { id: document, as: 'document', fileName: '../../etc/con\u202etrato\n.pdf' } })
    expect(await talk.sent()).toMatchObject([
      { kind: 'audio', voice: true, seconds: 3, waveform },
      { kind: 'document', fileName: 'contrato.pdf', caption: '' },
    ])
  })

  it('is refused when it is not there, not ours, not what it is sent as, or too large', async () => {
    const [talk, other] = [await conversation(), await service.shop()]
    const refusalOf = async (media: object) => {
      const reply = await talk.send({ media })
      return [reply.statusCode, reply.json().type]
    }
    expect(await refusalOf({ id: randomUUID(), as: 'image' })).toEqual([404, 'media_not_found'])
    expect(await refusalOf({ id: await stored(other), as: 'image' })).toEqual([404, 'media_not_found'])
    const erased = await stored(talk, {}, { type: 'MediaErased', data: {} })
    expect(await refusalOf({ id: erased, as: 'image' })).toEqual([404, 'media_not_found'])
    const awaited = await stored(
      talk,
      { contactId: talk.contactId },
      { type: 'MediaUnavailable', data: { contactId: talk.contactId, reason: 'expired' } },
      { type: 'MediaAskedAgain', data: { contactId: talk.contactId } },
    )
    expect(await refusalOf({ id: awaited, as: 'image' })).toEqual([409, 'media_not_ready'])
    expect(await refusalOf({ id: await stored(talk), as: 'video' })).toEqual([422, 'media_type_refused'])
    const heavy = await stored(talk, { bytes: 17 * 1024 * 1024 })
    expect(await refusalOf({ id: heavy, as: 'image' })).toEqual([413, 'media_too_large'])
    const elsewhere = await stored(talk, { contactId: randomUUID() })
    expect(await refusalOf({ id: elsewhere, as: 'image' })).toEqual([409, 'media_already_sent'])
    expect((await talk.send({ media: { id: heavy, as: 'document' } })).statusCode).toBe(202)
    expect(await talk.sent()).toHaveLength(1)
  })

  it('comes with a real little JPEG, with loudness from 0 to 100, and without words where nobody would see them', async () => {
    const talk = await conversation()
    const id = await stored(talk)
    const voice = await stored(talk, { mediaType: 'audio/ogg' })
    const fields = async (body: object) =>
      (await talk.send(body)).json().errors.map(({ field }: { field: string }) => field)
    const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')
    const large = Buffer.from('ffd8ffc0000b08ffdcffdc01011100ffd9', 'hex').toString('base64')
    const others = [gif(6300, 6300), png(9, 9)].map((bytes) => bytes.toString('base64'))
    for (const preview of [base64(1, 2, 3, 4, 5, 6), jpeg(12 * 1024 + 1), large, ...others])
      expect(await fields({ media: { id, as: 'image', preview } })).toEqual(['media.preview'])
    for (const waveform of [base64(1, 101), base64(...Array(65).fill(1))])
      expect(await fields({ media: { id: voice, as: 'voice', waveform } })).toEqual(['media.waveform'])
    expect(await fields({ message: 'ouça', media: { id: voice, as: 'voice' } })).toEqual(['message'])
    expect(await talk.sent()).toEqual([])
  })
})

describe('a reaction', () => {
  it('goes out once, however often it is asked, and may be taken back', async () => {
    const { react, events, contactId, connectionId } = await conversation()
    for (let time = 0; time < 2; time++) {
      const reply = await react('ASKED', '👍')
      expect([reply.statusCode, reply.json()]).toEqual([202, { messageId: 'ASKED', contactId, emoji: '👍' }])
    }
    await react('ASKED', null)
    const queued = await events('ReactionQueued')
    expect(queued.map(({ data }) => data)).toMatchObject([
      { messageId: 'ASKED', toOwn: false, connectionId, toJid: '1636@lid', emoji: '👍' },
      { messageId: 'ASKED', emoji: null },
    ])
  })

  it('that arrives is kept, and its echo changes nothing', async () => {
    const { react, events, receives } = await conversation()
    await react('ASKED', '👍')
    const [queued] = await events('ReactionQueued')
    const reactionId = queued && 'reactionId' in queued.data ? queued.data.reactionId : ''
    const reactedAt = new Date().toISOString()
    await receives(
      {
        type: 'ReactionArrived',
        data: { ...about('1636@lid', 'ASKED'), fromMe: true, reactionId, reactedAt, emoji: '👍' },
      },
      { type: 'ReactionArrived', data: { ...about('1636@lid', 'UNKNOWN'), reactionId: 'R1', reactedAt, emoji: '😂' } },
      { type: 'ReactionArrived', data: { ...about('1636@lid', 'ASKED'), reactionId: 'R2', reactedAt, emoji: '❤️' } },
    )
    const reacted = await until(async () => {
      const found = await events('MessageReacted')
      return found.length > 0 && found
    })
    expect(reacted.map(({ data }) => data)).toEqual([{ messageId: 'ASKED', by: 'contact', emoji: '❤️', reactedAt }])
  })

  it('needs a message that is there, a line that is up, and one emoji', async () => {
    const { react, send, record, connectionId } = await conversation()
    const refusalOf = async (reply: ReturnType<typeof react>) => {
      const { statusCode, json } = await reply
      return [statusCode, json().type]
    }
    expect(await refusalOf(react('NEVER', '👍'))).toEqual([404, 'message_not_found'])
    expect(await refusalOf(react('ASKED', 'ok'))).toEqual([422, 'invalid_request'])
    expect(await refusalOf(react('ASKED', '👍', { connectionId: randomUUID() }))).toEqual([404, 'connection_not_found'])
    const { id } = (await send({ message: 'já vai' })).json()
    expect(await refusalOf(react(id, '👍'))).toEqual([409, 'message_not_ready'])
    await record(`connection-${connectionId}`, { type: 'LineDropped', data: { code: 428, reason: 'lost' } })
    expect(await refusalOf(react('ASKED', '👍'))).toEqual([409, 'connection_not_open'])
  })

  it('does not reach into another tenant’s chats', async () => {
    const [mine, theirs] = [await conversation(), await conversation()]
    const url = `/contacts/${theirs.contactId}/messages/ASKED/reaction`
    const reply = await mine.ask('POST', url, { connectionId: mine.connectionId, emoji: '👍' })
    expect([reply.statusCode, reply.json().type]).toEqual([404, 'contact_not_found'])
    expect((await mine.react('ASKED', '👍', { connectionId: theirs.connectionId })).statusCode).toBe(404)
  })
})
