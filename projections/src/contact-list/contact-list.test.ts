import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Contact } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import {
  accepted,
  added,
  answeredOutOfHours,
  attendantId,
  connectionId,
  contactLog,
  queued,
  received,
  reopened,
  resolved,
  resumed,
  text,
} from './testing/contact-events.ts'

const ana = idOf('ana')

describe('the contact list', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let contacts = 0
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  const newContact = async (...events: AnyEvent[]) => {
    const id = idOf(`contact ${++contacts}`)
    await record(ana, id, ...events)
    return id
  }
  const read = async (id: string) => (await prosa.get(`/api/whatsapp/contacts/${id}`, ana, latest())).body
  const list = async (query: string, tenant = ana) => prosa.get(`/api/whatsapp/contacts?${query}`, tenant, latest())
  const names = async (query: string) => (await list(query)).body.map(({ name }: { name: string }) => name)

  it('shows who waits, since when, and what they wrote last', async () => {
    const id = await newContact(
      added('Maria', '5511988776655'),
      received('A1', 'Oi'),
      received('A2', 'Tem pão?', at(1)),
    )
    const contact = await read(id)
    expect(contact).toMatchObject({
      id,
      name: 'Maria',
      phone: '5511988776655',
      serviceStatus: 'waiting',
      unreadCount: 2,
      lastActivity: at(1),
      lastMessage: { content: 'Tem pão?', kind: 'text', sender: 'contact', status: null },
      merged: [],
      numberMoved: null,
      suspectedRobot: null,
    })
    expect(contact.waitingSince).not.toBeNull()
  })

  it('lets whoever was answered out of hours wait on, as long and as unread as before', async () => {
    const question = [added('Caio', '5511988776611'), received('N1', 'Abrem hoje?', at(3))]
    const before = await read(await newContact(...question))
    const after = await read(await newContact(...question, answeredOutOfHours('N2', 'Abrimos às 8h.')))
    const { serviceStatus, waitingSince, unreadCount } = before
    expect([serviceStatus, unreadCount]).toEqual(['waiting', 1])
    expect(after).toMatchObject({ serviceStatus, waitingSince, unreadCount })
    expect(after.lastMessage).toMatchObject({ content: 'Abrimos às 8h.', sender: 'user', status: 'queued' })
  })

  it('stands as before once a finishing is taken back', async () => {
    const id = await newContact(added('Rute', null), accepted)
    const before = await read(id)
    await record(ana, id, resolved, resumed)
    expect(await read(id)).toEqual(before)
  })

  it('moves from waiting to attending to resolved, and back when the contact writes again', async () => {
    const id = await newContact(added('Rui', null))
    await record(ana, id, accepted)
    expect(await read(id)).toMatchObject({ serviceStatus: 'attending', waitingSince: null })
    await record(ana, id, resolved)
    expect(await read(id)).toMatchObject({ serviceStatus: 'resolved', waitingSince: null })
    await record(ana, id, reopened)
    const again = await read(id)
    expect(again.serviceStatus).toBe('waiting')
    expect(again.waitingSince).not.toBeNull()
  })

  it('lets somebody wait since they wrote, also when the line was down and we received it later', async () => {
    const id = await newContact(
      added('Noite', null),
      received('N1', 'oi', at(-36_000)),
      received('N2', 'e?', at(-30_000)),
    )
    expect((await read(id)).waitingSince).toBe(at(-36_000))
    await record(ana, id, accepted)
    expect((await read(id)).waitingSince).toBeNull()
    await record(ana, id, resolved, reopened, received('N3', 'voltei', at(-20_000)), received('N4', 'e?', at(-10_000)))
    expect((await read(id)).waitingSince).toBe(at(-20_000))
  })

  it('lets nobody wait since a moment to come, nor since before they last wrote or WhatsApp keeps messages', async () => {
    const early = await newContact(added('Relógio', null), received('R1', 'amanhã', at(90_000)))
    const { waitingSince } = await read(early)
    expect(waitingSince < at(9000)).toBe(true)
    await record(ana, early, received('R2', 'ontem', at(-90_000)))
    expect((await read(early)).waitingSince).toBe(waitingSince)
    const nonsense = await newContact(added('1970', null), received('R3', 'oi', '1970-01-01T00:00:01.000Z'))
    expect((await read(nonsense)).waitingSince > at(-1)).toBe(true)
    const again = await newContact(added('De novo', null), received('R4', 'oi', at(-5000)), accepted, resolved)
    await record(ana, again, reopened, received('R5', 'voltei', at(-50_000)))
    expect((await read(again)).waitingSince).toBe(at(-5000))
  })

  it('does not let somebody wait to whom only the own side wrote', async () => {
    const id = await newContact(added(null, '5511911112222', 'phone'))
    expect(await read(id)).toMatchObject({ serviceStatus: 'resolved', waitingSince: null, lastMessage: null })
  })

  it.each<[string, AnyEvent]>([
    ['an attendant opened the chat', { type: 'ChatSeen', data: { attendantId } }],
    ['an attendant answered', queued('B9', 'Já vai')],
    [
      'the own side answered on the phone',
      { type: 'MessageSentElsewhere', data: { messageId: 'B8', connectionId, content: text('Já vai'), sentAt: at(5) } },
    ],
  ])('counts nothing as unread once %s', async (_, event) => {
    const id = await newContact(added('Zé', null), received('B1', 'Oi'))
    expect((await read(id)).unreadCount).toBe(1)
    await record(ana, id, event)
    expect((await read(id)).unreadCount).toBe(0)
  })

  it('takes nothing for an answer that the own side wrote before, and that was only reported late', async () => {
    const elsewhere = (messageId: string, words: string, sentAt: string): AnyEvent => ({
      type: 'MessageSentElsewhere',
      data: { messageId, connectionId, content: text(words), sentAt },
    })
    const id = await newContact(added('Tarde', null), received('S1', 'Tem pão?', at(-100)))
    await record(ana, id, elsewhere('S2', 'Boa noite', at(-3700)))
    expect(await read(id)).toMatchObject({ unreadCount: 1, lastMessage: { content: 'Tem pão?', sender: 'contact' } })
    await record(ana, id, elsewhere('S3', 'Tem', at(-100)))
    expect(await read(id)).toMatchObject({ unreadCount: 0, lastMessage: { content: 'Tem', sender: 'user' } })
  })

  it('counts an answer on the phone also after somebody wrote whose clock is ahead', async () => {
    const id = await newContact(added('Adiantado', null), received('V1', 'oi', at(90_000)))
    const data = { messageId: 'V2', connectionId, content: text('oi'), sentAt: at(8000) }
    await record(ana, id, { type: 'MessageSentElsewhere', data })
    expect((await read(id)).unreadCount).toBe(0)
  })

  it('shows as tried again what failed, where it stood', async () => {
    const failed: AnyEvent = { type: 'MessageFailed', data: { messageId: 'T1', code: '463' } }
    const again: AnyEvent = {
      type: 'MessageQueued',
      data: { messageId: 'T1', connectionId, toJid: '1@lid', content: text('olá'), attendantId, isRetry: true },
    }
    const id = await newContact(added('Dois', null), queued('T1', 'oi'), failed)
    const { lastActivity } = await read(id)
    await record(ana, id, again)
    expect(await read(id)).toMatchObject({ lastActivity, lastMessage: { content: 'olá', status: 'queued' } })
    await record(ana, id, failed, received('T2', 'Alô?', at(-9)), again)
    expect(await read(id)).toMatchObject({ unreadCount: 1, lastMessage: { content: 'Alô?', sender: 'contact' } })
  })

  it('shows the tick of the last message, and of no other', async () => {
    const id = await newContact(added('Lia', null), queued('C1', 'um'), queued('C2', 'dois'))
    await record(ana, id, { type: 'MessageRead', data: { messageId: 'C1' } })
    expect((await read(id)).lastMessage).toEqual({
      content: 'dois',
      kind: 'text',
      sender: 'user',
      status: 'queued',
      isFlow: false,
    })
    await record(ana, id, { type: 'MessageDelivered', data: { messageId: 'C2' } })
    await record(ana, id, { type: 'MessageSent', data: { messageId: 'C2' } })
    expect((await read(id)).lastMessage.status).toBe('delivered')
  })

  it('keeps a contact where it is when only ticks arrive', async () => {
    const id = await newContact(added('Iara', null), queued('D1', 'oi'))
    const { lastActivity } = await read(id)
    await record(ana, id, { type: 'MessageRead', data: { messageId: 'D1' } })
    expect((await read(id)).lastActivity).toBe(lastActivity)
  })

  it('holds whatever people call themselves: emojis are found, and what nobody can see is no name', async () => {
    const emojis = ['🌻', '👨‍👩‍👧‍👦 Família', '🇧🇷🇦🇷', '❤️ Bia']
    for (const name of emojis) await newContact(added(name, null), received(`E${name}`, 'oi'))
    for (const name of emojis) expect(await names(`search=${encodeURIComponent(name)}`)).toEqual([name])
    expect(await names(`search=${encodeURIComponent('família')}`)).toEqual(['👨‍👩‍👧‍👦 Família'])
    const unseen = await newContact(added('\u200E\u3164\u200B', '5511977776666'), received('E5', 'oi'))
    expect(await read(unseen)).toMatchObject({ name: null, whatsappName: null })
    const turned = await newContact(added('\u202EanA', null), received('E6', 'oi'))
    expect((await read(turned)).name).toBe('anA')
  })

  const file = { id: idOf('file'), mediaType: 'x/y', bytes: 1, source: null }
  it.each<[MessageContent, string]>([
    [{ kind: 'image', file, caption: 'a\n\nb' }, 'a b'],
    [{ kind: 'image', file, caption: '' }, 'Foto'],
    [{ kind: 'video', file, caption: '', seconds: 61 }, 'Vídeo (1:01)'],
    [{ kind: 'audio', file, voice: true, seconds: 9 }, 'Mensagem de voz (0:09)'],
    [{ kind: 'audio', file, voice: false }, 'Áudio'],
    [{ kind: 'document', file, caption: '', fileName: 'contrato.pdf' }, 'Documento: contrato.pdf'],
    [{ kind: 'sticker', file, animated: true }, 'Figurinha'],
    [{ kind: 'text', text: 'x'.repeat(500) }, `${'x'.repeat(199)}…`],
  ])('shows in one line what came last (%#)', async (content, line) => {
    const id = await newContact(added('Bia', null), {
      type: 'MessageReceived',
      data: { messageId: 'K', connectionId, content, sentAt: at(0) },
    })
    expect((await read(id)).lastMessage).toMatchObject({ content: line, kind: content.kind })
  })

  it('follows edits and deletions of the last message, and of no other', async () => {
    const edited = (messageId: string): AnyEvent => ({
      type: 'MessageEdited',
      data: { messageId, content: text(`${messageId} mudou`), editedAt: at(5) },
    })
    const deleted = (messageId: string): AnyEvent => ({
      type: 'MessageDeleted',
      data: { messageId, by: 'contact', deletedAt: at(6) },
    })
    const id = await newContact(added('Nina', null), received('L1', 'um'), received('L2', 'dois'))
    await record(ana, id, edited('L1'), deleted('L1'))
    expect((await read(id)).lastMessage).toMatchObject({ content: 'dois', kind: 'text' })
    await record(ana, id, edited('L2'))
    expect((await read(id)).lastMessage).toMatchObject({ content: 'L2 mudou', kind: 'text' })
    await record(ana, id, deleted('L2'), edited('L2'))
    expect((await read(id)).lastMessage).toMatchObject({ content: 'Mensagem apagada', kind: 'deleted' })
  })

  it('goes by when people wrote, but never into the future and never back', async () => {
    const late = await newContact(added('Noite', null), received('E1', 'ontem', at(-50_000)))
    expect((await read(late)).lastActivity).toBe(at(-50_000))
    const early = await newContact(added('Relógio', null), received('E2', 'amanhã', at(90_000)))
    const before = (await read(early)).lastActivity
    expect(before < at(9000)).toBe(true)
    await record(ana, early, received('E3', 'velha', at(-60_000)))
    expect((await read(early)).lastActivity).toBe(before)
  })

  it('keeps characters that PostgreSQL cannot store from stopping everything', async () => {
    const id = await newContact(added('Nul\0o', null), received('F\0', 'meio \ud83d par\0'))
    expect(await read(id)).toMatchObject({ name: 'Nul\ufffdo', lastMessage: { content: 'meio \ufffd par\ufffd' } })
  })

  it('finds names without accents and numbers however they are written', async () => {
    await newContact(added('José da Conceição', '551187654321'))
    expect(await names('search=jose%20da%20conceicao')).toEqual(['José da Conceição'])
    expect(await names('search=CONCEIÇÃO')).toEqual(['José da Conceição'])
    expect(await names('search=(11)%2098765-4321')).toEqual(['José da Conceição'])
    expect(await names('search=8765-4321')).toEqual(['José da Conceição'])
    expect(await names('search=%25')).toEqual([])
  })

  it('is found by a body as by an address of a page of the release before, page by page, and never of another tenant', async () => {
    const other = idOf('other tenant')
    for (let index = 0; index < 60; index++) await newContact(added(`Quitéria ${index}`, null))
    const search = 'quiteria'
    const found: string[] = []
    let nextCursor: string | null = null
    do {
      const asked = { search, ...(nextCursor && { cursor: nextCursor }) }
      const { status, body } = await prosa.post('/api/whatsapp/contacts/search', asked, ana, latest())
      expect(status).toBe(200)
      found.push(...body.items.map(({ id }: Contact) => id))
      nextCursor = body.nextCursor
    } while (nextCursor !== null)
    expect(new Set(found).size).toBe(60)
    const before = await prosa.get(`/api/whatsapp/contacts?search=${search}`, ana, latest())
    expect(before.body.map(({ id }: Contact) => id)).toEqual(found.slice(0, 50))
    expect((await prosa.post('/api/whatsapp/contacts/search', { search }, other, latest())).body.items).toEqual([])
    expect((await prosa.post('/api/whatsapp/contacts/search', { search })).status).toBe(401)
    const wrong = await prosa.post('/api/whatsapp/contacts/search', { search, em: at(0) }, ana)
    expect([wrong.status, wrong.body.errors?.[0]?.message]).toEqual([422, 'Há campos que não podem ser enviados aqui.'])
  })

  it('is known under a new name and number once they are reported', async () => {
    const id = await newContact(added(null, null))
    await record(ana, id, { type: 'ContactNamed', data: { name: 'Ágata' } })
    await record(ana, id, { type: 'ContactIdentified', data: { phone: '5521933334444', lid: '9@lid' } })
    expect(await names('search=agata')).toEqual(['Ágata'])
    expect(await names('search=21933334444')).toEqual(['Ágata'])
  })

  it('has no number any more that passed to another account, and shows that on both sides', async () => {
    const [old, fresh] = [await newContact(added('Juliana', '5541912345678')), await newContact(added('Bruno', null))]
    await record(ana, old, { type: 'ContactNumberPassedOn', data: { to: fresh } })
    await record(ana, fresh, { type: 'ContactNumberTakenOver', data: { from: old } })
    await record(ana, fresh, { type: 'ContactIdentified', data: { phone: '5541912345678', lid: '9' } })
    const moved = (how: string, contactId: string) => ({ how, contactId, at: expect.any(String) })
    expect(await read(old)).toMatchObject({ phone: null, numberMoved: moved('passed_on', fresh) })
    expect(await read(fresh)).toMatchObject({ phone: '5541912345678', numberMoved: moved('taken_over', old) })
    expect(await names('search=41912345678')).toEqual(['Bruno'])
  })

  it('shows whom flows paused with, and why, until the conversation is finished or somebody says that it is no robot', async () => {
    const [finished, cleared] = [await newContact(added('Robô', null)), await newContact(added('Pessoa', null))]
    const cause = { reason: 'starts', count: 10, withinSeconds: 600 } as const
    for (const id of [finished, cleared]) {
      expect((await read(id)).suspectedRobot).toBeNull()
      await record(ana, id, { type: 'RobotSuspected', data: cause })
      expect((await read(id)).suspectedRobot).toEqual({ ...cause, at: expect.any(String) })
    }
    await record(ana, finished, { type: 'ConversationAccepted', data: { attendantId: ana } })
    expect((await read(finished)).suspectedRobot).not.toBeNull()
    await record(ana, finished, { type: 'ConversationResolved', data: { attendantId: ana } })
    await record(ana, cleared, { type: 'RobotSuspicionCleared', data: { attendantId: ana } })
    for (const id of [finished, cleared]) expect((await read(id)).suspectedRobot).toBeNull()
  })

  it('shows which message is the oldest that nobody has seen', async () => {
    const id = await newContact(added('Uma', null), received('U1', 'um'))
    expect((await read(id)).firstUnreadId).toBe('U1')
    await record(ana, id, { type: 'ChatSeen', data: { attendantId } })
    expect((await read(id)).firstUnreadId).toBeNull()
    await record(ana, id, received('U2', 'dois'), received('U3', 'três'))
    expect(await read(id)).toMatchObject({ unreadCount: 2, firstUnreadId: 'U2' })
    await record(ana, id, queued('U4', 'Pronto'))
    expect((await read(id)).firstUnreadId).toBeNull()
  })

  it('shows the name that the business gave, finds both, and goes back to their own', async () => {
    const id = await newContact(added('Zilá', '5511955554444'))
    await record(ana, id, { type: 'ContactRenamed', data: { name: 'Dona Zizi da escola' } })
    await record(ana, id, { type: 'ContactNamed', data: { name: 'Zilá 🌻' } })
    expect(await read(id)).toMatchObject({ name: 'Dona Zizi da escola', whatsappName: 'Zilá 🌻' })
    expect(await names('search=zizi')).toEqual(['Dona Zizi da escola'])
    expect(await names('search=zila')).toEqual(['Dona Zizi da escola'])
    await record(ana, id, { type: 'ContactRenamed', data: { name: null } })
    expect((await read(id)).name).toBe('Zilá 🌻')
    expect(await names('search=zizi')).toEqual([])
  })

  it('shows nothing of another subscriber', async () => {
    const id = await newContact(added('Segredo', '5531977776666'))
    const caio = idOf('caio')
    expect((await list('', caio)).body).toEqual([])
    expect((await list('search=segredo', caio)).body).toEqual([])
    expect((await prosa.get('/api/whatsapp/contact-counts', caio)).body).toEqual({
      waiting: 0,
      asked: 0,
      bot: 0,
      attending: 0,
      resolved: 0,
    })
    expect((await prosa.get('/api/whatsapp/longest-waiting', caio)).body).toEqual({ contact: null })
    const { status, body } = await prosa.get(`/api/whatsapp/contacts/${id}`, caio, latest())
    expect([status, body.type]).toEqual([404, 'contact_not_found'])
  })

  it.each(['nobody', '%00', idOf('nobody')])('knows no contact %s', async (id) => {
    expect((await prosa.get(`/api/whatsapp/contacts/${id}`, ana)).status).toBe(404)
  })

  it.each([
    ['status=open', 'status', 'Escolha aguardando, com o robô, atendendo ou resolvidos.'],
    [`search=${'x'.repeat(101)}`, 'search', 'A busca pode ter no máximo 100 caracteres.'],
    ['search=%00', 'search', 'A busca tem um caractere que não existe em textos.'],
    ['search=a&search=b', 'search', 'Escreva uma só busca.'],
    ['cursor=abc', 'cursor', 'Esta página não existe. Volte ao começo da lista.'],
  ])('refuses ?%s', async (query, field, message) => {
    const { status, body } = await list(query)
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
  })

  it.each(['contacts', 'contact-counts', 'longest-waiting', `contacts/${idOf('x')}`])(
    'asks visitors of /%s to sign in',
    async (path) => {
      expect((await prosa.get(`/api/whatsapp/${path}`)).status).toBe(401)
    },
  )
})
