import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Message } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { until } from '@prosa/kernel/testing/until'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { furtherStatus } from '../message-status.ts'
import { testProjections } from '../testing/test-projections.ts'
import { failureReason } from './failure-reason.ts'

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
const queued = (messageId: string, content: MessageContent = text('oi')): AnyEvent => ({
  type: 'MessageQueued',
  data: { messageId, connectionId, toJid: '1@lid', content, attendantId: ana },
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

  it('stand in the order of the log, whatever their clocks show', async () => {
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

  it('show what was written on the phone', async () => {
    const data = { messageId: 'P', connectionId, content: text('do celular'), sentAt: at(1) }
    const { messages } = await chatWith({ type: 'MessageSentElsewhere', data })
    expect(messages).toMatchObject([{ content: 'do celular', sender: 'user', status: 'sent', sentElsewhere: true }])
  })

  it('show what a rule sent, and that the rule was a flow', async () => {
    const data = { messageId: 'F', connectionId, toJid: '1@lid', content: text('Olá!'), attendantId: ana }
    const { messages } = await chatWith(
      { type: 'MessageQueued', data: { ...data, automatic: 'flow', isRefused: true } },
      failed('F', 'no_message_left'),
      { type: 'MessageQueued', data: { ...data, messageId: 'R', automatic: 'out_of_hours' } },
    )
    expect(messages).toMatchObject([
      {
        id: 'F',
        isAutomatic: true,
        isFlow: true,
        status: 'failed',
        failure: expect.stringMatching(/mensagens do plano/),
      },
      { id: 'R', isAutomatic: true },
    ])
    expect(messages[1]).not.toHaveProperty('isFlow')
  })

  it('count once, however often they are reported', async () => {
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
        const status = ticks.reduce<(typeof furthest)[number]>(
          (known, reported) => furtherStatus(known, reported),
          'queued',
        )
        expect(furthest.indexOf(status)).toBe(Math.max(0, ...ticks.map((reported) => furthest.indexOf(reported))))
      }),
    )
  })

  it.each([
    ['463', /limitou por enquanto o início de conversas com pessoas novas/],
    ['connection_removed', /^A conexão usada para esta mensagem foi removida\. Envie de novo por outra conexão\.$/],
    ['no_acknowledgement', /não confirmou esta mensagem/],
    ['toString', /^O WhatsApp não aceitou esta mensagem\. Tente enviar de novo\.$/],
  ])('show why they failed (%s)', async (code, sentence) => {
    const { messages } = await chatWith(queued('F'), failed('F', code))
    expect(messages).toMatchObject([{ status: 'failed', failure: expect.stringMatching(sentence) }])
  })

  it('have a sentence of their own for every reason that is known', () => {
    const codes = ['403', '429', '463', '479', 'no_acknowledgement', 'not_sendable', 'text_forgotten', 'media_not_sent']
    const others = [
      'media_missing',
      'connection_removed',
      'line_broken',
      'number_changed',
      'number_not_on_whatsapp',
      'message_id_taken',
      'unsupported_content',
      'unheard_of',
    ]
    const sentences = [...codes, ...others].map(failureReason)
    expect(new Set(sentences).size).toBe(codes.length + others.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^.{20,}\.$/)
  })

  it('no longer failed once the contact has them', async () => {
    const { messages } = await chatWith(queued('F'), failed('F', '479'), {
      type: 'MessageDelivered',
      data: { messageId: 'F' },
    })
    expect(messages).toMatchObject([{ status: 'delivered', failure: null }])
  })

  it('show what was sent last, in their old place, when they failed and were tried again', async () => {
    const { messages } = await chatWith(
      queued('F', { ...text('oi'), quoted: { messageId: 'Q', text: 'antes' } }),
      failed('F', '463'),
      received('A', 'alguém?'),
      queued('F', text('olá')),
    )
    expect(messages).toMatchObject([
      { id: 'F', content: 'olá', quoted: null, status: 'queued', failure: null },
      { id: 'A' },
    ])
  })

  it.each([
    ['imageMessage', '[imagem] Este tipo de mensagem ainda não aparece no Prosa.'],
    ['pollCreationMessageV3', '[enquete] Este tipo de mensagem ainda não aparece no Prosa.'],
    ['constructor', '[mensagem] Este tipo de mensagem ainda não aparece no Prosa.'],
  ])('name what cannot be shown yet (%s)', async (type, sentence) => {
    const { messages } = await chatWith(unsupported('U', type))
    expect(messages).toMatchObject([{ kind: 'unsupported', content: sentence }])
  })

  const photo = (name: string, caption = ''): MessageContent => ({
    kind: 'image',
    caption,
    file: {
      id: idOf(name),
      mediaType: 'image/jpeg',
      bytes: 5,
      source: { mediaKey: 'c2VjcmV0IGtleQ==', directPath: '/v/secret-path', url: null, fileSha256: null },
    },
    width: 4,
    height: 3,
    preview: 'AAAA',
  })
  const file = { id: idOf('some file'), mediaType: 'audio/ogg', bytes: 9, source: null }
  const arrived = (messageId: string, content: MessageContent): AnyEvent => ({
    type: 'MessageReceived',
    data: { messageId, connectionId, content, sentAt: at(0) },
  })
  const none = { fileName: null, seconds: null, width: null, height: null, voice: false, waveform: null, preview: null }

  it.each<[MessageContent, string, Partial<Message['media']>]>([
    [
      photo('p', 'Olha'),
      'Olha',
      { mediaType: 'image/jpeg', bytes: 5, width: 4, height: 3, preview: 'data:image/jpeg;base64,AAAA' },
    ],
    [{ kind: 'video', file, caption: '', seconds: 7 }, '', { seconds: 7 }],
    [
      { kind: 'audio', file, voice: true, seconds: 12, waveform: 'AGQ=' },
      '',
      { voice: true, seconds: 12, waveform: [0, 100] },
    ],
    [{ kind: 'document', file, fileName: 'contrato.pdf', caption: 'Assine' }, 'Assine', { fileName: 'contrato.pdf' }],
    [{ kind: 'sticker', file, animated: false }, '', {}],
  ])('show what a file is while it is on its way (%#)', async (content, words, media) => {
    const { messages } = await chatWith(arrived('F', content))
    const reported = { id: expect.any(String), mediaType: 'audio/ogg', bytes: 9, ...none, ...media }
    expect(messages).toMatchObject([{ kind: content.kind, content: words }])
    expect(messages[0]?.media).toEqual({ status: 'waiting', problem: null, ...reported })
  })

  it('keep nothing that opens a file in WhatsApp’s network', async () => {
    const { id } = await chatWith(arrived('F', photo('secret')))
    const { rows } = await prosa.ports.pool.query('select c::text as row from chat_message c where contact_id = $1', [
      id,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0].row).not.toMatch(/c2VjcmV0IGtleQ|secret-path/)
  })

  const storedFile = (contactId: string): AnyEvent => ({
    type: 'MediaStored',
    data: { contactId, mediaType: 'image/png', bytes: 77, sha256: '00' },
  })

  it('show their file once it is there, also to a browser that has the page already', async () => {
    const { id, messages } = await chatWith(arrived('F', photo('late')))
    expect(messages[0]?.media?.status).toBe('waiting')
    const path = `/api/whatsapp/contacts/${id}/messages`
    const before = await prosa.get(path, ana)
    const unchanged = await prosa.get(path, ana, undefined, { 'if-none-match': String(before.headers.etag) })
    expect(unchanged.status).toBe(304)
    const position = await prosa.append(ana, `media-${idOf('late')}`, storedFile(id))
    const { status, body } = await prosa.get(path, ana, position, { 'if-none-match': String(before.headers.etag) })
    expect(status).toBe(200)
    expect(body[0].media).toMatchObject({ status: 'ready', mediaType: 'image/png', bytes: 77, problem: null })
  })

  it.each([
    ['expired', /não está mais no WhatsApp/],
    ['foreign_host', /não é do WhatsApp/],
    ['no_room', /espaço.*cheio.*Apague contatos/],
  ] as const)('show why their file cannot be had (%s)', async (reason, sentence) => {
    const { id, get } = await chatWith(arrived('F', photo(`gone ${reason}`)))
    const data = { contactId: id, reason }
    await prosa.append(ana, `media-${idOf(`gone ${reason}`)}`, { type: 'MediaUnavailable', data })
    const media = await until(async () => {
      const [found] = (await get()).body as Message[]
      return found?.media?.status === 'unavailable' && found.media
    })
    expect(media.problem).toMatch(sentence)
  })

  const answering = (messageId: string, quotedId: string): AnyEvent =>
    arrived(messageId, { ...text('sim'), quoted: { messageId: quotedId, text: 'como o aparelho\no mostrou' } })
  const edited = (messageId: string, words: string, editedAt = at(7)): AnyEvent => ({
    type: 'MessageEdited',
    data: { messageId, content: text(words), editedAt },
  })
  const deleted = (messageId: string): AnyEvent => ({
    type: 'MessageDeleted',
    data: { messageId, by: 'contact', deletedAt: at(8) },
  })

  it('quote what they answer as it is now, or else as the writer’s device showed it', async () => {
    const { messages } = await chatWith(
      queued('Q'),
      arrived('P', photo('quoted')),
      received('D', 'some'),
      received('E', 'velho'),
      ...['Q', 'P', 'D', 'E', 'X'].map((quotedId) => answering(`answers ${quotedId}`, quotedId)),
      deleted('D'),
      edited('E', 'novo'),
    )
    expect(messages.slice(4).map(({ quoted }) => quoted)).toEqual([
      { id: 'Q', content: 'oi', sender: 'user' },
      { id: 'P', content: 'Foto', sender: 'contact' },
      { id: 'D', content: 'Mensagem apagada', sender: 'contact' },
      { id: 'E', content: 'novo', sender: 'contact' },
      { id: 'X', content: 'como o aparelho o mostrou', sender: null },
    ])
  })

  const reacted = (by: 'contact' | 'user', emoji: string | null): AnyEvent => ({
    type: 'MessageReacted',
    data: { messageId: 'R', by, emoji, reactedAt: at(3) },
  })
  const reactionQueued = (emoji: string | null): AnyEvent => ({
    type: 'ReactionQueued',
    data: { reactionId: 'X', messageId: 'R', toOwn: false, connectionId, toJid: '1@lid', emoji, attendantId: ana },
  })

  const reactionFailed = (emoji: string | null): AnyEvent => ({
    type: 'ReactionFailed',
    data: { reactionId: 'X', messageId: 'R', code: '463', emoji },
  })

  it.each<[string, AnyEvent[], Message['reactions']]>([
    [
      'one of each side',
      [reacted('contact', '👍'), reacted('user', '🙏')],
      [
        { emoji: '👍', sender: 'contact' },
        { emoji: '🙏', sender: 'user' },
      ],
    ],
    ['the last of a side', [reacted('contact', '👍'), reacted('contact', '❤️')], [{ emoji: '❤️', sender: 'contact' }]],
    ['none that was taken back', [reacted('contact', '👍'), reacted('contact', null)], []],
    ['the own one at once', [reactionQueued('🎉')], [{ emoji: '🎉', sender: 'user' }]],
    ['no own one that is being taken back', [reacted('user', '🙏'), reactionQueued(null)], []],
    ['none that WhatsApp refused', [reactionQueued('🎉'), reactionFailed(null)], []],
    [
      'the one before it again',
      [reacted('user', '🙏'), reactionQueued('🎉'), reactionFailed('🙏')],
      [{ emoji: '🙏', sender: 'user' }],
    ],
  ])('show reactions: %s', async (_, events, reactions) => {
    const { messages } = await chatWith(received('R', 'oi'), ...events)
    expect(messages[0]?.reactions).toEqual(reactions)
  })

  it('show their last words, when these were written, and the first ones', async () => {
    const { messages } = await chatWith(received('E', 'um'), edited('E', 'dois', at(5)), edited('E', 'três', at(6)))
    expect(messages).toMatchObject([{ content: 'três', editedAt: at(6), original: 'um', kind: 'text' }])
  })

  it('keep their picture and what they answer when only words are edited', async () => {
    const { messages } = await chatWith(
      arrived('P', { ...photo('kept', 'velha'), quoted: { messageId: 'X', text: 'antes' } }),
      edited('P', 'nova'),
      answering('A', 'X'),
      edited('A', 'não'),
    )
    expect(messages).toMatchObject([
      { kind: 'image', content: 'nova', original: 'velha', media: { id: idOf('kept') }, quoted: { content: 'antes' } },
      { kind: 'text', content: 'não', quoted: { id: 'X' } },
    ])
  })

  it('show what an attendant changes as on its way, then as true, or why it failed', async () => {
    const line = { messageId: 'Q', connectionId, toJid: '1@lid', until: null, attendantId: ana }
    const edit = (editId: string, words: string): AnyEvent => ({
      type: 'EditQueued',
      data: { ...line, editId, content: text(words), editedAt: at(3) },
    })
    const deletion: AnyEvent = { type: 'DeletionQueued', data: { ...line, deletionId: 'D', deletedAt: at(4) } }
    const taken = (correctionId: string, words: string): AnyEvent => ({
      type: 'MessageEdited',
      data: { messageId: 'Q', content: text(words), editedAt: at(3), correctionId },
    })
    const refused = (correctionId: string): AnyEvent => ({
      type: 'CorrectionFailed',
      data: { correctionId, messageId: 'Q', code: 'correction_too_late' },
    })
    const shownAfter = async (...events: AnyEvent[]) => (await chatWith(queued('Q'), ...events)).messages[0]
    const onItsWay = { kind: 'edit', content: 'um', failure: null }
    expect(await shownAfter(edit('E1', 'um'))).toMatchObject({ content: 'oi', correction: onItsWay, editedAt: null })
    expect(await shownAfter(edit('E1', 'um'), taken('E1', 'um'))).not.toHaveProperty('correction')
    expect(await shownAfter(edit('E1', 'um'), edit('E2', 'dois'), taken('E1', 'um'))).toMatchObject({
      content: 'um',
      correction: { kind: 'edit', content: 'dois', failure: null },
    })
    expect(await shownAfter(edit('E1', 'um'), edit('E2', 'dois'), refused('E1'))).toMatchObject({
      correction: { content: 'dois', failure: null },
    })
    expect(await shownAfter(edit('E1', 'um'), refused('E1'))).toMatchObject({
      content: 'oi',
      correction: { kind: 'edit', content: 'um', failure: expect.stringContaining('não aceita mais') },
    })
    expect(await shownAfter(deletion)).toMatchObject({
      kind: 'text',
      correction: { kind: 'deletion', content: null, failure: null },
    })
    const gone: AnyEvent = {
      type: 'MessageDeleted',
      data: { messageId: 'Q', by: 'user', deletedAt: at(4), correctionId: 'D' },
    }
    expect(await shownAfter(edit('E1', 'um'), deletion, gone)).not.toHaveProperty('correction')
  })

  it('leave only their first words once they were taken back', async () => {
    const { messages } = await chatWith(
      answering('D', 'X'),
      { type: 'MessageReacted', data: { messageId: 'D', by: 'contact', emoji: '👍', reactedAt: at(3) } },
      edited('D', 'não'),
      deleted('D'),
      arrived('P', photo('taken back')),
      deleted('P'),
      edited('P', 'tarde demais'),
    )
    const gone = { kind: 'deleted', content: 'Mensagem apagada', media: null, quoted: null, reactions: [] }
    expect(messages).toMatchObject([
      { ...gone, original: 'sim' },
      { ...gone, original: 'Foto' },
    ])
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
