import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { adminListEndpoints } from '@prosa/contracts/http/administration/admin-lists'
import { later } from '@prosa/kernel/clock'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSupportTenant } from '../support-requests/queries.ts'
import { testProjections } from '../testing/test-projections.ts'

const day = 24 * 3600 * 1000
const time = { now: at(3600) }
const [admin, analyst, subscriber] = [idOf('admin'), idOf('analyst'), idOf('subscriber')]

let prosa: Awaited<ReturnType<typeof testProjections>>
let position: Position
beforeAll(async () => {
  prosa = await testProjections({ now: () => time.now })
  await register(admin, 'Zoé', 'Administra', 'zoe@prosa.com.br')
  await userEvent(admin, { type: 'RoleGranted', data: { role: 'admin' } })
  await register(analyst, 'Beto', 'Análise', 'beto@prosa.com.br')
  await userEvent(analyst, { type: 'RoleGranted', data: { role: 'analyst' } })
  await register(subscriber, 'José', 'da Conceição', 'ze.conceicao@padaria.com.br')
  await prosa.ports.readModels.reached(['account'], position, 5000)
})
afterAll(() => prosa.stop())

const append = async (tenant: string | null, stream: string, event: AnyEvent) => {
  position = await prosa.append(tenant, stream, event)
}
const userEvent = (id: string, event: AnyEvent) => append(id, `user-${id}`, event)
const subscriptionEvent = (id: string, event: AnyEvent) => append(id, `subscription-${id}`, event)
const register = async (
  id: string,
  firstName: string,
  lastName: string,
  email: string,
  endsAt = at(10 * 24 * 3600),
) => {
  await userEvent(id, { type: 'UserRegistered', data: { firstName, lastName, email, credentialId: idOf(email) } })
  await subscriptionEvent(id, { type: 'TrialStarted', data: { endsAt } })
}
const get = (path: string, user: string | undefined = admin) => prosa.get(`/api/admin/${path}`, user, position)
const post = (path: string, body: object, user: string | undefined = admin) =>
  prosa.post(`/api/admin/${path}`, body, user, position)
const file = async (path: string, payload?: object) => {
  await prosa.statePurpose(admin, null)
  const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(admin)).token}`
  return prosa.app.inject({
    ...(payload ? { method: 'POST', payload } : { method: 'GET' }),
    url: `/api/admin/${path}`,
    headers: { cookie, 'prosa-position': prosa.tokenOf(admin, position) },
  })
}
const namesFound = async (list: 'users' | 'contacts', search: string) =>
  (await post(`${list}/search`, { search })).body.items.map(
    ({ firstName, name }: { firstName?: string; name?: string }) => firstName ?? name,
  )

describe('users', () => {
  it('are listed, the latest first, with all that is known of them', async () => {
    await userEvent(subscriber, { type: 'EmailConfirmed', data: {} })
    const { status, body } = await get('users')
    expect([status, body.nextCursor]).toEqual([200, null])
    expect(body.items).toContainEqual({
      id: subscriber,
      firstName: 'José',
      lastName: 'da Conceição',
      email: 'ze.conceicao@padaria.com.br',
      isEmailConfirmed: true,
      profileImageUrl: null,
      createdAt: at(6),
      roles: [],
      subscriptionStatus: 'active',
      subscriptionEnd: at(10 * 24 * 3600),
      isTrial: true,
    })
  })

  it.each([
    ['jose', ['José']],
    ['CONCEIÇÃO josé', ['José']],
    ['ze.con', ['José']],
    ['@prosa.com.br', ['Beto', 'Zoé']],
    ['ose', []],
  ])('are found by %s', async (search, names) => {
    expect((await namesFound('users', search)).sort()).toEqual(names)
  })

  it('follow each other page by page, each once', async () => {
    for (let index = 0; index < 60; index++)
      await register(idOf(`page ${index}`), `Pessoa ${index}`, 'Paginada', `pessoa${index}@paginas.com.br`)
    const first = (await post('users/search', { search: 'paginada' })).body
    const second = (await post('users/search', { search: 'paginada', cursor: first.nextCursor })).body
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([50, 10, null])
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(60)
    expect((await get('users?cursor=nada')).status).toBe(422)
  })

  it('are gone with everything that names them once they were erased', async () => {
    const gone = idOf('gone')
    await register(gone, 'Rosa', 'Passageira', 'rosa@passageira.com.br')
    expect(await namesFound('users', 'passageira')).toEqual(['Rosa'])
    await userEvent(gone, { type: 'UserErased', data: {} })
    expect(await namesFound('users', 'passageira')).toEqual([])
    const { rows } = await prosa.ports.pool.query('select * from listed_user where id = $1', [gone])
    expect(rows).toEqual([])
  })

  it('come as a file that no spreadsheet takes for formulas', async () => {
    await register(idOf('formula'), '=1+1', 'Fórmula', 'formula@planilha.com.br')
    const reply = await file('users.csv', { search: 'fórmula' })
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="usuarios.csv"')
    const [head, line] = reply.body.split('\n')
    expect(head).toMatch(/^\uFEFFId;Nome;Sobrenome;E-mail;/)
    expect(line).toContain(";'=1+1;Fórmula;formula@planilha.com.br;")
    expect((await file('users.csv')).body.trim().split('\n').length).toBeGreaterThan(61)
  })

  it('come as a file with whatever names people have, each in its column', async () => {
    const names = ['🌻', '👨‍👩‍👧‍👦 da "Feira"; e filhos', 'سارة', 'Ana\u200B', 'x'.repeat(80)]
    for (const [index, name] of names.entries())
      await register(idOf(`emoji ${index}`), name, 'Agenda', `agenda${index}@example.com`)
    const { body } = await file('users.csv', { search: 'agenda' })
    const lines = body.trim().split('\n').slice(1)
    expect(lines).toHaveLength(names.length)
    for (const name of names) {
      const cell = /[";]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
      expect(lines.filter((line: string) => line.includes(`;${cell};Agenda;`))).toHaveLength(1)
    }
  })

  it('find nobody by signs alone, rather than everybody', async () => {
    expect(await namesFound('users', '🌻')).toEqual([])
    expect((await namesFound('users', ' ')).length).toBeGreaterThan(0)
  })
})

describe('the cards', () => {
  const summary = async () => (await get('summary')).body
  const difference = async (happens: () => Promise<void>) => {
    const [before, , after] = [await summary(), await happens(), await summary()]
    const { users, revenue, contacts, messages } = after
    return {
      total: users.total - before.users.total,
      active: users.active - before.users.active,
      expired: users.expired - before.users.expired,
      soon: users.expiringSoon - before.users.expiringSoon,
      gross: revenue.grossCents - before.revenue.grossCents,
      net: revenue.netCents - before.revenue.netCents,
      contacts: contacts - before.contacts,
      messages: messages - before.messages,
    }
  }
  const nothing = { total: 0, active: 0, expired: 0, soon: 0, gross: 0, net: 0, contacts: 0, messages: 0 }

  it('count users by what they have, and who has seven days left at most', async () => {
    const [late, soon] = [idOf('late'), idOf('soon')]
    const ends = (ms: number) => later(time.now, ms)
    expect(
      await difference(async () => {
        await register(late, 'Ana', 'Lima', 'ana@lima.com.br', ends(7 * day + 1))
        await register(soon, 'Bia', 'Lima', 'bia@lima.com.br', ends(7 * day))
      }),
    ).toEqual({ ...nothing, total: 2, active: 2, soon: 1 })
    expect(await difference(() => subscriptionEvent(soon, { type: 'TrialEnded', data: {} }))).toEqual({
      ...nothing,
      active: -1,
      expired: 1,
      soon: -1,
    })
    const about = { orderId: 'o', subscriptionId: null, productId: null, status: 'active' } as const
    expect(
      await difference(() =>
        subscriptionEvent(soon, {
          type: 'AccessGranted',
          data: { ...about, until: ends(7 * day), endsAt: ends(7 * day) },
        }),
      ),
    ).toMatchObject({ active: 0, expired: 0 })
    expect(
      await difference(() =>
        subscriptionEvent(soon, {
          type: 'AccessGranted',
          data: { ...about, until: ends(30 * day), endsAt: ends(30 * day) },
        }),
      ),
    ).toMatchObject({ active: 1, expired: -1 })
    const before = { endsAt: null, status: 'active' } as const
    expect(
      await difference(() =>
        subscriptionEvent(late, {
          type: 'AccessSet',
          data: { decision: 'removed', before, endsAt: time.now, status: 'expired' },
        }),
      ),
    ).toMatchObject({ active: -1, expired: 1, soon: 0 })
    expect(await difference(() => userEvent(late, { type: 'UserErased', data: {} }))).toMatchObject({
      total: -1,
      expired: -1,
    })
  })

  it('sum what was ever paid, and what of it stayed, in whatever order it was reported', async () => {
    const report = (
      orderId: string,
      kind: 'order_approved' | 'subscription_renewed' | 'order_refunded' | 'pix_created',
    ) =>
      append(null, `order-${orderId}`, {
        type: 'OrderReported',
        data: {
          deliveryId: 'd',
          kind,
          orderRef: null,
          subscriptionId: null,
          productId: null,
          productName: null,
          amountCents: 9700,
          paymentMethod: null,
          occurredAt: at(0),
          accessUntil: null,
          accessDays: 30,
          token: null,
          buyerKey: null,
          buyerName: null,
          buyerEmail: null,
          buyerDocument: null,
        },
      })
    expect(await difference(() => report('one', 'pix_created'))).toEqual(nothing)
    expect(await difference(() => report('one', 'order_approved'))).toEqual({ ...nothing, gross: 9700, net: 9700 })
    expect(await difference(() => report('one', 'subscription_renewed'))).toEqual(nothing)
    expect(await difference(() => report('two', 'order_refunded'))).toEqual({ ...nothing, gross: 9700 })
    expect(await difference(() => report('two', 'order_approved'))).toEqual(nothing)
    expect(await difference(() => report('one', 'order_refunded'))).toEqual({ ...nothing, net: -9700 })
    const hide = () => append(null, 'order-one', { type: 'OrderHidden', data: {} })
    expect(await difference(hide)).toEqual({ ...nothing, gross: -9700 })
  })
})

describe('what belongs to tenants', () => {
  const ana = idOf('contact ana')
  beforeAll(async () => {
    const added = { name: 'Ana Conceição', phone: '5511988776655', lid: null, origin: 'message' } as const
    await append(subscriber, `contact-${ana}`, { type: 'ContactAdded', data: added })
    await append(subscriber, `chat-${ana}`, {
      type: 'MessageReceived',
      data: {
        messageId: 'm1',
        connectionId: idOf('line'),
        content: { kind: 'text', text: 'Tem bolo hoje?' },
        sentAt: at(60),
      } as never,
    })
    await prosa.ports.readModels.reached(
      ['contact-directory', 'chat-messages', 'contact-list', 'users'],
      position,
      5000,
    )
  })
  const account = { id: subscriber, name: 'José da Conceição', email: 'ze.conceicao@padaria.com.br' }
  const readings = async () =>
    (await everythingIn(prosa.ports.store, 'tenantReading')).flatMap(({ data }) => ('what' in data ? data.what : []))

  it('is listed with whose it is, and that it was read is in the log: once in an hour for each list', async () => {
    time.now = later(time.now, 60 * 60 * 1000)
    const before = (await readings()).length
    const since = async () => (await readings()).slice(before)
    expect((await get('contacts')).body.items).toEqual([
      {
        id: ana,
        name: 'Ana Conceição',
        phone: '5511988776655',
        serviceStatus: 'waiting',
        lastActivity: at(60),
        account,
      },
    ])
    expect((await get('messages')).body.items).toMatchObject([
      { content: 'Tem bolo hoje?', sender: 'contact', contactId: ana, contactName: 'Ana Conceição', account },
    ])
    await get('contacts')
    expect(await since()).toEqual(['contacts', 'messages'])
    const fact = (await everythingIn(prosa.ports.store, 'tenantReading')).at(-1)
    expect(fact).toMatchObject({
      type: 'PersonalDataRead',
      stream: expect.stringMatching(new RegExp(`^tenantReading-${admin}:all:`)),
      metadata: { actor: { kind: 'admin', id: admin }, tenant: null },
    })
    time.now = later(time.now, 60 * 60 * 1000)
    await get('contacts')
    expect((await file('contacts.csv')).body).toContain(';Ana Conceição;5511988776655;Aguardando;')
    expect((await file('messages.csv')).body).toContain(';Tem bolo hoje?;')
    expect(await since()).toEqual(['contacts', 'messages', 'contacts', 'contacts_file', 'messages_file'])
  })

  it.each(['conceicao', '(11) 98877-6655', '1188776655', '988776655'])(
    'has contacts that are found by %s',
    async (typed) => {
      expect(await namesFound('contacts', typed)).toEqual(['Ana Conceição'])
      expect(await namesFound('contacts', 'bia')).toEqual([])
    },
  )

  it('is refused, and no reading is recorded, where somebody is no administrator', async () => {
    const before = await readings()
    for (const { method, path } of Object.values(adminListEndpoints)) {
      const ask = (user?: string) => (method === 'GET' ? prosa.get(path, user) : prosa.post(path, {}, user))
      expect((await ask()).status).toBe(401)
      for (const user of [analyst, subscriber]) expect((await ask(user)).status).toBe(403)
    }
    expect(await readings()).toEqual(before)
  })

  it('has the flows of every account, the latest first, each with whose it is', async () => {
    const document = starterFlow()
    const made = (name: string) =>
      ({ type: 'FlowCreated', data: { name, folderId: null, document, origin: 'new' } }) as const
    await append(subscriber, `flow-${idOf('first flow')}`, made('Boas-vindas'))
    await append(subscriber, `flow-${idOf('first flow')}`, { type: 'FlowPublished', data: { version: 1, document } })
    await append(idOf('nobody that is listed'), `flow-${idOf('second flow')}`, made('Fora do horário'))
    const { items, nextCursor } = (await get('projects')).body
    expect(nextCursor).toBeNull()
    expect(items).toMatchObject([
      { name: 'Fora do horário', status: 'paused', account: null },
      { name: 'Boas-vindas', status: 'active', account: { id: subscriber } },
    ])
    expect((await get('summary')).body.projects).toBe(2)
  })
})

describe('the messages of all tenants', () => {
  const chats = [idOf('contact bruno'), idOf('contact of bruno before')] as const
  const [bruno, former] = chats
  const dayOf = (seconds: number) => at(seconds).slice(0, 10)
  const texts = async (body: object, path = 'messages/search') =>
    (await post(path, body)).body.items.map(({ content }: { content: string }) => content)
  const line = idOf('line')
  const received = (chat: string, messageId: string, text: string) =>
    append(subscriber, `chat-${chat}`, {
      type: 'MessageReceived',
      data: { messageId, connectionId: line, content: { kind: 'text', text }, sentAt: at(90) } as never,
    })
  beforeAll(async () => {
    for (const [index, chat] of chats.entries())
      await append(subscriber, `contact-${chat}`, {
        type: 'ContactAdded',
        data: {
          name: ['Bruno Alves', 'Bruno Reis'][index] ?? '',
          phone: `551197000000${index}`,
          lid: null,
          origin: 'message',
        },
      })
    await received(bruno, 'b1', 'Vocês têm broa de fubá?')
    await received(former, 'b2', 'A broa sai às 8h?')
    await append(subscriber, `chat-${bruno}`, {
      type: 'MessageQueued',
      data: {
        messageId: 'b3',
        connectionId: line,
        content: { kind: 'text', text: 'Temos broa, sim.' },
        toJid: '5511970000000@s.whatsapp.net',
        attendantId: subscriber,
      } as never,
    })
    await append(subscriber, `chat-${bruno}`, {
      type: 'MessageFailed',
      data: { messageId: 'b3', code: 'number_not_on_whatsapp' } as never,
    })
    await shown()
  })
  const shown = () => {
    const models = ['contact-directory', 'chat-messages', 'message-search', 'contact-list', 'users']
    return prosa.ports.readModels.reached(models, position, 5000)
  }

  it('are found by words without accents, by contact, by who wrote, by status, and by all together', async () => {
    expect(await texts({ search: 'BROA' })).toEqual([
      'Temos broa, sim.',
      'A broa sai às 8h?',
      'Vocês têm broa de fubá?',
    ])
    expect(await texts({ search: 'fuba broa' })).toEqual(['Vocês têm broa de fubá?'])
    expect(await texts({ contact: 'bruno reis' })).toEqual(['A broa sai às 8h?'])
    expect(await texts({ contact: '(11) 97000-0000' })).toEqual(['Temos broa, sim.', 'Vocês têm broa de fubá?'])
    expect(await texts({ contact: 'bruno', search: 'broa', sender: 'contact' })).toEqual([
      'A broa sai às 8h?',
      'Vocês têm broa de fubá?',
    ])
    expect(await texts({ status: 'failed' })).toEqual(['Temos broa, sim.'])
    expect((await get('messages?status=failed')).body.items).toMatchObject([
      { content: 'Temos broa, sim.', status: 'failed' },
    ])
    expect(await texts({ sender: 'user', status: 'read' })).toEqual([])
  })

  it('are none for a contact or for signs that nobody has, rather than all', async () => {
    for (const body of [
      { contact: 'ninguém assim' },
      { search: '🌻' },
      { contact: '🌻' },
      { search: 'broa', contact: 'ana' },
    ])
      expect([body, await texts(body)]).toEqual([body, []])
    expect((await file('messages.csv', { contact: 'ninguém assim' })).body.trim().split('\n')).toHaveLength(1)
  })

  it('go on by key, each once, also where most are left out', async () => {
    for (let index = 0; index < 60; index++)
      await received(index % 3 ? bruno : former, `many${index}`, `pamonha ${index}`)
    await shown()
    const first = (await post('messages/search', { search: 'pamonha', contact: 'bruno' })).body
    const rest = (await post('messages/search', { search: 'pamonha', contact: 'bruno', cursor: first.nextCursor })).body
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([50, 10, null])
    expect(new Set([...first.items, ...rest.items].map(({ key }) => key)).size).toBe(60)
    const all = (await post('messages/search', { search: 'pamonha' })).body
    expect(all.items).toHaveLength(50)
    const lines = (await file('messages.csv', { search: 'pamonha' })).body.trim().split('\n')
    expect(lines).toHaveLength(61)
  })

  it('are narrowed by days in the order of the log, and name the days that are wrong', async () => {
    const [today, later] = [dayOf(0), dayOf(40 * 24 * 3600)]
    expect((await texts({ search: 'broa', from: today, to: today })).length).toBe(3)
    expect(await texts({ search: 'broa', from: later })).toEqual([])
    expect(await texts({ search: 'broa', to: '2020-01-01' })).toEqual([])
    expect((await post('messages/search', { from: later, to: today })).status).toBe(422)
    expect((await get(`messages?from=${later}&to=${today}`)).status).toBe(422)
  })

  it('follow a merge: chats of whoever was united with a contact are the contact’s', async () => {
    await append(subscriber, `contact-${bruno}`, { type: 'ContactMerged', data: { absorbed: former } as never })
    await append(subscriber, `contact-${former}`, { type: 'ContactAbsorbed', data: { into: bruno } })
    await shown()
    expect(await texts({ contact: 'bruno alves', search: 'broa sai' })).toEqual(['A broa sai às 8h?'])
  })
})

describe('what is searched for', () => {
  it.each([
    'users',
    'users.csv',
    'contacts',
    'contacts.csv',
    'messages',
    'messages.csv',
    'transactions',
    'transactions.csv',
  ])('is refused in the address of %s, which access logs keep', async (list) => {
    const { status, body } = await get(`${list}?search=ana%40example.com`)
    expect([status, body.errors?.[0]?.field]).toEqual([422, 'search'])
    expect(JSON.stringify(body)).not.toContain('ana@example.com')
  })

  it('is refused with fields that nobody knows, or where it is longer than a search', async () => {
    for (const body of [{ cat: 1 }, { search: 'x'.repeat(10_000) }, { search: 'a\0b' }, { search: ['a'] }])
      for (const list of ['users', 'contacts', 'messages', 'transactions'])
        expect([400, 422]).toContain((await post(`${list}/search`, body)).status)
  })
})

describe('refusals', () => {
  const rows = async (query: string) => {
    const { status, body } = await get(`refused-requests${query}`)
    return status === 200 ? body.map(({ day }: { day: string }) => day) : status
  }

  it('are narrowed by days of São Paulo, both included, also those of one account', async () => {
    for (const [day, account] of [
      ['2026-11-20', subscriber],
      ['2026-11-21', ''],
      ['2026-11-22', subscriber],
    ] as const)
      await prosa.ports.pool.query(
        `insert into refused_request (day, account, route, refusal, address, count, first_at, last_at)
         values ($1, $2, 'POST /api/auth/login', 'wrong_credentials', '', 1, $3, $3)`,
        [day, account, `${day}T12:00:00.000Z`],
      )
    expect(await rows('')).toEqual(['2026-11-22', '2026-11-21', '2026-11-20'])
    expect(await rows('?from=2026-11-21')).toEqual(['2026-11-22', '2026-11-21'])
    expect(await rows('?from=2026-11-21&to=2026-11-21')).toEqual(['2026-11-21'])
    expect(await rows(`?to=2026-11-21&user=${subscriber}`)).toEqual(['2026-11-20'])
    expect(await rows('?from=2026-11-22&to=2026-11-21')).toBe(422)
    expect(await rows('?from=ontem')).toBe(422)
  })
})

describe('messages to support', () => {
  const [first, second] = [idOf('first message'), idOf('second message')]
  const write = (id: string, subject: string) =>
    append(subscriber, `supportRequest-${id}`, {
      type: 'SupportRequested',
      data: { subject, message: 'Como faço?', priority: 'high' },
    })

  it('are listed, the latest first, until somebody answered them', async () => {
    await write(first, 'Não conecta')
    await write(second, 'Fatura')
    const account = { id: subscriber, name: 'José da Conceição', email: 'ze.conceicao@padaria.com.br' }
    const { body } = await get('support-requests')
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([second, first])
    expect(body.items[0]).toMatchObject({ subject: 'Fatura', priority: 'high', answeredAt: null, account })
    await append(subscriber, `supportRequest-${second}`, { type: 'SupportRequestAnswered', data: {} })
    expect((await get('support-requests?open=true')).body.items).toMatchObject([{ id: first }])
    expect((await get('support-requests')).body.items[0].answeredAt).not.toBeNull()
    expect(await findSupportTenant(prosa.ports.pool, first)).toBe(subscriber)
  })

  it('are read by administrators only, and leave with the account that wrote them', async () => {
    expect((await get('support-requests', subscriber)).status).toBe(403)
    await userEvent(subscriber, { type: 'UserErased', data: {} })
    expect((await get('support-requests')).body.items).toEqual([])
  })
})
