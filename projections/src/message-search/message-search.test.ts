import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { MessageFound } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { wordsOf } from '../word-index.ts'
import { searchMessages } from './queries.ts'
import { tenantMark } from './table.ts'

const connectionId = idOf('line')
const text = (words: string): MessageContent => ({ kind: 'text', text: words })
const received = (messageId: string, content: MessageContent): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content, sentAt: at(0) },
})
const file = { id: idOf('file'), mediaType: 'x/y', bytes: 1, source: null }

describe('the search in messages', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let latest = ''
  let contacts = 0
  const record = async (tenant: string, stream: string, ...events: AnyEvent[]) => {
    for (const event of events) latest = await prosa.append(tenant, stream, event)
  }
  const chatOf = async (tenant: string, name: string | null, ...events: AnyEvent[]) => {
    const id = idOf(`contact ${++contacts}`)
    const data = { name, phone: '5511988776655', lid: null, origin: 'message' } as const
    await record(tenant, `contact-${id}`, { type: 'ContactAdded', data })
    await record(tenant, `chat-${id}`, ...events)
    return id
  }
  const ask = async (tenant: string, query: string, more: { contactId?: string; cursor?: string } = {}) => {
    const { status, body } = await prosa.post('/api/whatsapp/search', { q: query, ...more }, tenant, latest)
    return { status, body: body.items ?? body, nextCursor: body.nextCursor as string | null }
  }
  const pagesOf = async (tenant: string, query: string, more: { contactId?: string } = {}) => {
    const pages: string[][] = []
    let next: { cursor?: string } = {}
    do {
      const { body, nextCursor } = await ask(tenant, query, { ...more, ...next })
      pages.push(body.map(({ messageId }: MessageFound) => messageId))
      next = nextCursor === null ? {} : { cursor: nextCursor }
    } while (next.cursor)
    return pages
  }
  const idsOf = async (tenant: string, query: string) =>
    ((await ask(tenant, query)).body as MessageFound[]).map(({ messageId }) => messageId)
  let tenants = 0
  const newTenant = () => idOf(`owner ${++tenants}`)

  it('finds a message with its contact, whoever wrote it', async () => {
    const ana = newTenant()
    const toJid = '1@lid'
    const id = await chatOf(ana, 'Zé', received('A', text('Quanto custa o pão?')), {
      type: 'MessageQueued',
      data: { messageId: 'B', connectionId, toJid, content: text('O pão custa R$ 2'), attendantId: ana },
    })
    const [answer, question] = (await ask(ana, 'pão')).body
    expect(question).toEqual({
      messageId: 'A',
      contactId: id,
      contactName: 'Zé',
      contactPhone: '5511988776655',
      sender: 'contact',
      timestamp: at(0),
      excerpt: 'Quanto custa o \uE000pão\uE001?',
    })
    expect(answer).toMatchObject({ messageId: 'B', sender: 'user' })
  })

  it.each([
    ['acentuação', ['A']],
    ['ACENTUACAO', ['A']],
    ['acent palav', ['A']],
    ['palavra acent', ['A']],
    ['acent outra', []],
    ['lavra', []],
    ['legenda', ['B']],
    ['contrato', ['C']],
    ['assine', ['C']],
    ["o'brien & | ! <-> :* (x)", ['D']],
    ['1234', ['D']],
    ['98877-6655', ['E']],
    ['!!! 😀', []],
    ['%', []],
  ])('finds every word by its beginning, without accents and case: %s', async (query, expected) => {
    const ana = newTenant()
    await chatOf(
      ana,
      null,
      received('A', text('Palavras com acentuac\u0327ão')),
      received('B', { kind: 'image', file, caption: 'Uma legenda' }),
      received('C', { kind: 'document', file, fileName: 'contrato.pdf', caption: 'Assine aqui' }),
      received('D', text("O'Brien x 12345")),
      received('E', text('(11) 98877-6655')),
      received('F', { kind: 'sticker', file, animated: false }),
    )
    expect(await idsOf(ana, query)).toEqual(expected)
  })

  it('finds edited messages by their new words, and deleted ones not at all', async () => {
    const ana = newTenant()
    const id = await chatOf(
      ana,
      null,
      received('A', text('velhas')),
      { type: 'MessageEdited', data: { messageId: 'A', content: text('novas'), editedAt: at(1) } },
      received('B', text('novas também')),
      { type: 'MessageDeleted', data: { messageId: 'B', by: 'contact', deletedAt: at(2) } },
    )
    expect(await idsOf(ana, 'velhas')).toEqual([])
    expect(await idsOf(ana, 'novas')).toEqual(['A'])
    const { rows } = await prosa.ports.pool.query('select words from message_search where contact_id = $1', [id])
    expect(rows).toEqual([{ words: ' novas' }])
  })

  it('finds a caption that was added afterwards', async () => {
    const ana = newTenant()
    await chatOf(ana, null, received('A', { kind: 'image', file, caption: '' }), {
      type: 'MessageEdited',
      data: { messageId: 'A', content: text('legenda nova'), editedAt: at(1) },
    })
    expect((await ask(ana, 'legenda')).body).toMatchObject([{ messageId: 'A', excerpt: '\uE000legenda\uE001 nova' }])
  })

  it('finds a document by its name and its new caption, and by its former words where an edit has none', async () => {
    const ana = newTenant()
    const edited = (messageId: string, content: MessageContent): AnyEvent => ({
      type: 'MessageEdited',
      data: { messageId, content, editedAt: at(1) },
    })
    await chatOf(
      ana,
      null,
      received('A', { kind: 'document', file, fileName: 'contrato.pdf', caption: 'Assine aqui' }),
      edited('A', text('Assinado, o contrato')),
      received('B', { kind: 'image', file, caption: 'fachada' }),
      edited('B', { kind: 'unsupported', type: 'fooMessage' }),
      received('C', text('de palavras')),
      edited('C', { kind: 'unsupported', type: 'fooMessage' }),
    )
    for (const query of ['contrato pdf', 'assinado', 'contrato assinado'])
      expect(await idsOf(ana, query)).toEqual(['A'])
    expect(await idsOf(ana, 'assine')).toEqual([])
    expect((await ask(ana, 'fachada')).body).toMatchObject([{ messageId: 'B', excerpt: '\uE000fachada\uE001' }])
    expect(await idsOf(ana, 'palavras')).toEqual([])
  })

  it('finds a message that failed by what was sent when it was tried again', async () => {
    const ana = newTenant()
    const queued = (words: string): AnyEvent => ({
      type: 'MessageQueued',
      data: { messageId: 'A', connectionId, toJid: '1@lid', content: text(words), attendantId: ana },
    })
    await chatOf(ana, null, queued('primeiras'), { type: 'MessageFailed', data: { messageId: 'A', code: '463' } })
    expect(await idsOf(ana, 'primeiras')).toEqual(['A'])
    await record(ana, `chat-${idOf(`contact ${contacts}`)}`, queued('segundas'))
    expect(await idsOf(ana, 'primeiras')).toEqual([])
    expect((await ask(ana, 'segundas')).body).toMatchObject([{ messageId: 'A', excerpt: '\uE000segundas\uE001' }])
  })

  it('finds nothing of an erased chat', async () => {
    const ana = newTenant()
    const id = await chatOf(ana, null, received('A', text('segredo')))
    expect(await idsOf(ana, 'segredo')).toEqual(['A'])
    await record(ana, `chat-${id}`, { type: 'ChatErased', data: {} })
    await record(ana, `contact-${id}`, { type: 'ContactErased', data: {} })
    expect(await idsOf(ana, 'segredo')).toEqual([])
    const { rows } = await prosa.ports.pool.query('select from message_search where contact_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('shows messages of merged contacts as the one that goes on for both', async () => {
    const ana = newTenant()
    const survivor = await chatOf(ana, 'Maria')
    const absorbed = await chatOf(ana, 'M.', received('A', text('achado')))
    await record(ana, `contact-${survivor}`, { type: 'ContactMerged', data: { absorbed } })
    await record(ana, `contact-${absorbed}`, { type: 'ContactAbsorbed', data: { into: survivor } })
    expect((await ask(ana, 'achado')).body).toMatchObject([{ contactId: survivor, contactName: 'Maria' }])
  })

  it('finds nothing of another subscriber, not even of one whose id begins alike', async () => {
    const ana = newTenant()
    const alike = `${tenantMark(ana)}-0000-4000-8000-000000000000`
    await chatOf(ana, 'Segredo', received('A', text('segredo')))
    expect(await idsOf(alike, 'segredo')).toEqual([])
    expect(await idsOf(newTenant(), 'segredo')).toEqual([])
    expect((await prosa.get('/api/whatsapp/search?q=segredo')).status).toBe(401)
    expect((await prosa.post('/api/whatsapp/search', { q: 'segredo' })).status).toBe(401)
  })

  it('answers pages of the release before, which have the search in the address, with the same messages and pages', async () => {
    const ana = newTenant()
    for (let index = 0; index < 25; index++) await chatOf(ana, null, received(`M${index}`, text('achado')))
    const pages: MessageFound[][] = []
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({ q: 'achado', ...(cursor && { cursor }) })
      const { body, headers } = await prosa.get(`/api/whatsapp/search?${query}`, ana, latest)
      pages.push(body)
      cursor = headers['prosa-next-cursor'] as string | undefined
    } while (cursor)
    const first = await ask(ana, 'achado')
    const second = await ask(ana, 'achado', { cursor: first.nextCursor ?? '' })
    expect([second.nextCursor, pages]).toEqual([null, [first.body, second.body]])
  })

  it('pages from the latest to the first, in the order of the log', async () => {
    const ana = newTenant()
    const all = Array.from({ length: 45 }, (_, index) => `M${index}`)
    for (const [index, id] of all.entries())
      await chatOf(ana, null, received(id, text(index % 2 ? 'achado' : 'coisa achada')))
    const pages = await pagesOf(ana, 'achad')
    expect(pages.map((page) => page.length)).toEqual([20, 20, 5])
    expect(pages.flat()).toEqual(all.toReversed())
  })

  describe('in one conversation', () => {
    it('finds what was written there and nowhere else, as everywhere else', async () => {
      const ana = newTenant()
      const here = await chatOf(ana, 'Zé', received('A', text('Quanto custa o pão?')), received('B', text('Bom dia')))
      const there = await chatOf(ana, 'Bia', received('C', text('Tem pão?')))
      expect((await ask(ana, 'PAO', { contactId: here })).body).toEqual([
        {
          messageId: 'A',
          contactId: here,
          contactName: 'Zé',
          contactPhone: '5511988776655',
          sender: 'contact',
          timestamp: at(0),
          excerpt: 'Quanto custa o \uE000pão\uE001?',
        },
      ])
      expect((await ask(ana, 'pao', { contactId: there })).body).toMatchObject([{ messageId: 'C' }])
      expect((await ask(ana, 'pao custa', { contactId: there })).body).toEqual([])
    })

    it('pages from the latest to the first, past what others wrote meanwhile', async () => {
      const ana = newTenant()
      const [here, there] = [await chatOf(ana, null), await chatOf(ana, null)]
      const all = Array.from({ length: 45 }, (_, index) => `M${index}`)
      for (const id of all) {
        await record(ana, `chat-${here}`, received(id, text('achado')))
        await record(ana, `chat-${there}`, received(`other ${id}`, text('achado')))
      }
      const pages = await pagesOf(ana, 'achad', { contactId: here })
      expect(pages.map((page) => page.length)).toEqual([20, 20, 5])
      expect(pages.flat()).toEqual(all.toReversed())
    })

    it('finds what was written to contacts that were merged into it, whichever of them is asked for', async () => {
      const ana = newTenant()
      const survivor = await chatOf(ana, 'Maria', received('A', text('achado antes')))
      const between = await chatOf(ana, 'M.', received('B', text('achado no meio')))
      const first = await chatOf(ana, 'M. S.', received('C', text('achado depois')))
      const merges = [
        [between, first],
        [survivor, between],
      ] as const
      for (const [into, absorbed] of merges) {
        await record(ana, `contact-${into}`, { type: 'ContactMerged', data: { absorbed } })
        await record(ana, `contact-${absorbed}`, { type: 'ContactAbsorbed', data: { into } })
      }
      await chatOf(ana, 'Outra', received('D', text('achado fora')))
      for (const contactId of [survivor, between, first])
        expect((await ask(ana, 'achado', { contactId })).body).toMatchObject([
          { messageId: 'C', contactId: survivor, contactName: 'Maria' },
          { messageId: 'B', contactId: survivor },
          { messageId: 'A', contactId: survivor },
        ])
    })

    it("refuses another subscriber's conversation as one that does not exist", async () => {
      const [ana, bia] = [newTenant(), newTenant()]
      const contactId = await chatOf(ana, null, received('A', text('segredo')))
      expect((await ask(ana, 'segredo', { contactId })).body).toHaveLength(1)
      for (const [tenant, id, words] of [
        [bia, contactId, 'segredo'],
        [bia, contactId, '!!!'],
        [ana, idOf('nobody'), 'segredo'],
        [ana, 'x', 'segredo'],
        [ana, '', 'segredo'],
      ] as const) {
        const { status, body } = await ask(tenant, words, { contactId: id })
        expect([status, body.type]).toEqual([404, 'contact_not_found'])
      }
    })
  })

  it('finds the same whether it looks back, asks the index or goes through the chats', async () => {
    const ana = newTenant()
    const vocabulary = ['a', 'ab', 'abc', 'abcd', 'b', 'bcd', 'xyz']
    const written = Array.from({ length: 60 }, (_, index) =>
      vocabulary.filter((_, place) => (index * 7919) % (place + 3) === 0).join(' '),
    )
    const chats: string[] = []
    for (let part = 0; part < 3; part++) {
      const lines = written.slice(part * 20, part * 20 + 20)
      chats.push(await chatOf(ana, null, ...lines.map((words, index) => received(`${part * 20 + index}`, text(words)))))
    }
    await ask(ana, 'a')
    const someWords = fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        someWords,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom({ lookBack: 1 }, { lookBack: 10 }, { lookBack: 2000 }, { chats }),
        async (words, limit, way) => {
          const expected = written
            .map((line, index) => ({ id: `${index}`, line: wordsOf(line) }))
            .filter(({ line }) => words.every((asked) => line.some((word) => word.startsWith(asked))))
            .map(({ id }) => id)
            .toReversed()
          const found: string[] = []
          let before: string | undefined
          do {
            const page = await searchMessages(prosa.ports.pool, { tenant: ana, words, before, limit, ...way })
            found.push(...page.found.map(({ messageId }) => messageId))
            before = page.olderBefore
          } while (before)
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('knows very long words by their beginning, and takes very long messages', async () => {
    const ana = newTenant()
    const long = 'x'.repeat(70_000)
    const many = Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join(' ')
    await chatOf(ana, null, received('A', text(long)), received('B', text(many)))
    expect(await idsOf(ana, 'x'.repeat(100))).toEqual(['A'])
    expect(await idsOf(ana, '3zz')).toEqual(['B'])
  })

  it.each([
    ['q=', 'q', 'Escreva o que procura.'],
    ['q=%20', 'q', 'Escreva o que procura.'],
    ['', 'q', 'Escreva o que procura.'],
    [`q=${'x'.repeat(101)}`, 'q', 'A busca pode ter no máximo 100 caracteres.'],
    ['q=a&q=b', 'q', 'Escreva o que procura.'],
    ['q=a&contactId=a&contactId=b', 'contactId', 'Escolha uma só conversa.'],
    ['q=a&cursor=abc', 'cursor', 'Esta página não existe. Volte ao começo da lista.'],
  ])('refuses ?%s at its field', async (query, field, message) => {
    const { status, body } = await prosa.get(`/api/whatsapp/search?${query}`, newTenant())
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
  })

  it.each([
    [{}, 'q', 'Escreva o que procura.'],
    [{ q: ' ' }, 'q', 'Escreva o que procura.'],
    [{ q: 'x'.repeat(101) }, 'q', 'A busca pode ter no máximo 100 caracteres.'],
    [{ q: 'a', cursor: 'abc' }, 'cursor', 'Esta página não existe. Volte ao começo da lista.'],
  ])('refuses the body %j at its field', async (asked, field, message) => {
    const { status, body } = await prosa.post('/api/whatsapp/search', asked, newTenant())
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
  })
})
