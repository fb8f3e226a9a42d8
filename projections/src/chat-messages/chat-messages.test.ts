import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Message } from '@prosa/contracts/http/live-chat'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { furtherStatus } from '../message-status.ts'
import { at, idOf } from '../testing/test-log.ts'
import { testProjections } from '../testing/test-projections.ts'

const ana = idOf('ana')
const connectionId = idOf('line')
const added: AnyEvent = { type: 'ContactAdded', data: { name: null, phone: null, lid: null, origin: 'message' } }
const text = (words: string) => ({ kind: 'text', text: words }) as const
const received = (messageId: string, words: string, sentAt = at(0)): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content: text(words), sentAt },
})
const unsupported = (messageId: string, type: string): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content: { kind: 'unsupported', type }, sentAt: at(0) },
})
const queued = (messageId: string): AnyEvent => ({
  type: 'MessageQueued',
  data: { messageId, connectionId, toJid: '1@lid', content: text('oi'), attendantId: ana },
})
const failed = (messageId: string, code: string): AnyEvent => ({ type: 'MessageFailed', data: { messageId, code } })

describe('the messages of a chat', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let chats = 0
  const chatWith = async (...events: AnyEvent[]) => {
    const id = idOf(`chat ${++chats}`)
    let position = await prosa.append(ana, `contact-${id}`, added)
    for (const event of events) position = await prosa.append(ana, `chat-${id}`, event)
    const get = (query = '', user: string | undefined = ana) =>
      prosa.get(`/api/whatsapp/contacts/${id}/messages${query}`, user, position)
    return { id, get, messages: (await get()).body as Message[] }
  }

  it('stand in the order of the log, whatever their clocks say', async () => {
    const { id, messages } = await chatWith(received('A', 'um', at(50)), queued('B'), received('C', 'três', at(-50)))
    expect(messages).toMatchObject([
      {
        id: 'A',
        contactId: id,
        content: 'um',
        sender: 'contact',
        timestamp: at(50),
        status: null,
        sentElsewhere: false,
      },
      { id: 'B', contactId: id, content: 'oi', sender: 'user', status: 'queued', failure: null },
      { id: 'C', contactId: id, content: 'três', timestamp: at(-50) },
    ])
  })

  it('tell what was written on the phone', async () => {
    const data = { messageId: 'P', connectionId, content: text('do celular'), sentAt: at(1) }
    const { messages } = await chatWith({ type: 'MessageSentElsewhere', data })
    expect(messages).toMatchObject([{ content: 'do celular', sender: 'user', status: 'sent', sentElsewhere: true }])
  })

  it('count once, however often they are told', async () => {
    const { messages } = await chatWith(received('A', 'um'), received('A', 'outra vez'))
    expect(messages.map(({ content }) => content)).toEqual(['um'])
  })

  it('have ids that are unique within their chat only', async () => {
    const one = await chatWith(received('SAME', 'aqui'))
    const two = await chatWith(received('SAME', 'ali'))
    expect([one.messages[0]?.content, two.messages[0]?.content]).toEqual(['aqui', 'ali'])
  })

  it('end with the furthest tick, in whatever order ticks are folded', () => {
    const statuses = fc.constantFrom('sent', 'delivered', 'read', 'failed')
    const furthest = ['queued', 'failed', 'sent', 'delivered', 'read'] as const
    fc.assert(
      fc.property(fc.array(statuses), (ticks) => {
        const status = ticks.reduce<(typeof furthest)[number]>((known, told) => furtherStatus(known, told), 'queued')
        expect(furthest.indexOf(status)).toBe(Math.max(0, ...ticks.map((told) => furthest.indexOf(told))))
      }),
    )
  })

  it.each([
    ['463', 'O WhatsApp limitou o início de novas conversas por esta conta. Tente mais tarde.'],
    ['connection_removed', 'A conexão usada para esta mensagem foi removida. Envie de novo por outra conexão.'],
    ['toString', 'O WhatsApp não aceitou esta mensagem. Tente enviar de novo.'],
  ])('say why they failed (%s)', async (code, sentence) => {
    const { messages } = await chatWith(queued('F'), failed('F', code))
    expect(messages).toMatchObject([{ status: 'failed', failure: sentence }])
  })

  it('no longer failed once the contact has them', async () => {
    const { messages } = await chatWith(queued('F'), failed('F', '479'), {
      type: 'MessageDelivered',
      data: { messageId: 'F' },
    })
    expect(messages).toMatchObject([{ status: 'delivered', failure: null }])
  })

  it.each([
    ['imageMessage', '[imagem] Este tipo de mensagem ainda não aparece no Prosa.'],
    ['pollCreationMessageV3', '[enquete] Este tipo de mensagem ainda não aparece no Prosa.'],
    ['constructor', '[mensagem] Este tipo de mensagem ainda não aparece no Prosa.'],
  ])('name what cannot be shown yet (%s)', async (type, sentence) => {
    const { messages } = await chatWith(unsupported('U', type))
    expect(messages).toMatchObject([{ kind: 'unsupported', content: sentence }])
  })

  it('come in pages of 100 from the latest to the first', async () => {
    const { get } = await chatWith(...Array.from({ length: 230 }, (_, index) => received(`M${index}`, `${index}`)))
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const reply = await get(cursor ? `?cursor=${cursor}` : '')
      pages.unshift(reply.body.map(({ content }: Message) => content))
      cursor = reply.headers['prosa-next-cursor'] as string | undefined
    } while (cursor)
    expect(pages.map((page) => page.length)).toEqual([30, 100, 100])
    expect(pages.flat()).toEqual(Array.from({ length: 230 }, (_, index) => `${index}`))
  })

  it('are nobody else’s', async () => {
    const { get } = await chatWith(received('A', 'segredo'))
    expect((await get('', idOf('caio'))).body).toMatchObject({ type: 'contact_not_found', status: 404 })
    expect((await prosa.get(`/api/whatsapp/contacts/${idOf('nobody')}/messages`, ana)).status).toBe(404)
    expect((await prosa.get(`/api/whatsapp/contacts/${idOf('nobody')}/messages`)).status).toBe(401)
  })

  it('refuse a cursor that is none', async () => {
    const { get } = await chatWith()
    const { status, body } = await get('?cursor=W10')
    expect([status, body.errors[0].field]).toEqual([422, 'cursor'])
  })
})
