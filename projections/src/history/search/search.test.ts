import { Readable } from 'node:stream'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { HistoryThread } from '@prosa/contracts/http/history'
import { positionHeader } from '@prosa/contracts/http/problem'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { verifyExport } from '@prosa/kernel/operations/hash-chain/exported-lines'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../../testing/test-projections.ts'
import { askedOf } from '../asked.ts'
import { ExportEnded, exportLines } from '../export/export-lines.ts'
import { findThreads } from '../queries.ts'

const [ana, bia, gone, root] = ['ana', 'bia', 'gone', 'administrator'].map(idOf) as [string, string, string, string]
const contact = idOf('contact of ana')
const admin: Actor = { kind: 'admin', id: root }
const system: Actor = { kind: 'system', id: 'test' }
const readModels = [
  'account',
  'users',
  'contact-directory',
  'transactions',
  'history-places',
  'history-links',
  'history-reasons',
]

let prosa: Awaited<ReturnType<typeof testProjections>>
let end: Position
let seconds = 0

const lengths = new Map<string, number>()
const append = async (tenant: string | null, stream: string, event: AnyEvent, by: Actor = system, reason?: string) => {
  const { store, codec } = prosa.ports
  const length = lengths.get(stream) ?? 0
  lengths.set(stream, length + 1)
  const id = idOf(`${stream} ${length}`)
  const metadata = {
    ...{ causationId: id, correlationId: idOf(`protocol of ${stream}`), actor: by, tenant, recordedAt: at(seconds++) },
    ...(reason !== undefined && { reason }),
  }
  const encoded = await codec.encode([{ id, stream, event, metadata }])
  const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
  if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
  end = appended.position
}
const shown = () => prosa.ports.readModels.reached(readModels, end, 20_000)

const register = (id: string, firstName: string, lastName: string, email: string) =>
  append(id, `user-${id}`, { type: 'UserRegistered', data: { firstName, lastName, email, credentialId: idOf('p') } })

const purchase = async (orderId: string, buyerName: string, buyerEmail: string) => {
  await append(null, `order-${orderId}`, {
    type: 'OrderReported',
    data: {
      ...{ deliveryId: 'd', kind: 'order_approved', orderRef: 'ABC1234', subscriptionId: null, productId: null },
      ...{ productName: 'Plano Pro', amountCents: 9700, paymentMethod: 'pix', occurredAt: at(5), accessUntil: null },
      ...{ accessDays: 30, token: null, buyerKey: null, buyerName, buyerEmail, buyerDocument: null },
    },
  })
}

/** Of a person who is erased. */
const planted = Array.from({ length: 20 }, (_, index) => `plantado${'abcdefghijklmnopqrst'[index]}`)

beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) }, defaultPlanRules, { isEncrypted: true })
  await register(root, 'Rui', 'Castro', 'rui@prosa.com.br')
  await append(root, `user-${root}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await register(ana, 'Ana', 'Conceição', 'ana@padaria.com.br')
  await register(bia, 'Bia', 'Reis', 'bia@padaria.com.br')
  await append(ana, `contact-${contact}`, {
    type: 'ContactAdded',
    data: { name: 'Zuleica Prado', phone: '5511988776655', lid: null, origin: 'message' },
  })
  await purchase('3f2a9c11-order', 'Joana Compradora', 'joana@compras.com.br')
  const access = { decision: 'extended', before: { endsAt: null, status: 'active' }, endsAt: at(99_999) } as const
  await append(
    ana,
    `subscription-${ana}`,
    { type: 'AccessSet', data: { ...access, status: 'active' } },
    admin,
    '=HYPERLINK("http://x") pediu por\ncarta registrada',
  )
  const [first = '', last = '', name = '', ...reasons] = planted
  await register(gone, first, last, `${name}@example.com`)
  for (const reason of reasons)
    await append(
      gone,
      `subscription-${gone}`,
      { type: 'AccessSet', data: { ...access, status: 'active' } },
      admin,
      `motivo ${reason}`,
    )
  await shown()
})
afterAll(() => prosa.stop())

const ask = async (path: string, payload: object, user: string | undefined = root) => {
  const cookie = user && `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
  const send = () =>
    prosa.app.inject({
      method: 'POST',
      url: `/api/admin/history/${path}`,
      headers: { ...(cookie && { cookie }), [positionHeader]: prosa.tokenOf(user, end) },
      payload,
    })
  let reply = await send()
  if (user && reply.statusCode === 428) {
    await prosa.statePurpose(user, reply.json().tenantId)
    reply = await send()
  }
  return reply
}
/** Without this test's own readings. */
const search = async (text: string, more: object = {}) => {
  const reply = await ask('search', { text, group: 'all_but_readings', ...more })
  expect([text, reply.statusCode]).toEqual([text, 200])
  const { items, found } = reply.json() as {
    items: HistoryThread[]
    found: { kind: string; id: string; name: string }[]
  }
  return {
    types: items.flatMap(({ entries }) => entries.map(({ type }) => type)),
    found: found.map(({ kind, name }) => `${kind} ${name}`),
  }
}
const exported = async (body: object) => {
  const reply = await ask('export', { group: 'all_but_readings', ...body })
  expect(reply.statusCode, reply.body).toBe(200)
  const sign = (text: string) => prosa.ports.box.fingerprint(text, 'history export')
  return { text: reply.body, verified: await verifyExport(Readable.from([reply.body]), sign) }
}

describe('a search of the history', () => {
  it('finds persons by name and e-mail: accounts, contacts and buyers', async () => {
    expect(await search('ana conceicao')).toMatchObject({
      types: ['AccessSet', 'UserRegistered'],
      found: ['user Ana Conceição'],
    })
    expect(await search('ANA@padaria.com.br')).toMatchObject({ found: ['user Ana Conceição'] })
    expect(await search('zuleica')).toMatchObject({ types: ['ContactAdded'], found: ['contact Zuleica Prado'] })
    expect(await search('(11) 98877-6655')).toMatchObject({ found: ['contact Zuleica Prado'] })
    expect(await search('Joana Compradora')).toMatchObject({ types: ['OrderReported'], found: ['order ABC1234'] })
    expect(await search('joana@compras.com.br')).toMatchObject({ found: ['order ABC1234'] })
    expect(await search('ninguem@padaria.com.br')).toEqual({ types: [], found: [] })
  })

  it('finds every code that is shown: references, ids, their first characters, protocols and keys', async () => {
    const order = { types: ['OrderReported'], found: ['order ABC1234'] }
    for (const code of ['abc1234', '3f2a9c11-order', '3f2a9c11', 'order:3f2a9c11-order', `“ABC1234”.`])
      expect([code, await search(code)]).toEqual([code, order])
    expect(await search(contact.slice(0, 8))).toMatchObject({
      types: ['ContactAdded'],
      found: ['contact Zuleica Prado'],
    })
    expect((await search(ana)).types).toEqual(['AccessSet', 'UserRegistered'])
    expect((await search(idOf(`subscription-${ana} 0`))).types).toEqual(['AccessSet'])
    expect((await search(idOf(`protocol of contact-${contact}`))).types).toEqual(['ContactAdded'])
  })

  it('takes what it needs from a line that was pasted', async () => {
    const line = '21/11/2026, 12:00:05 Kiwify aprovou o pedido ABC1234 (R$ 97,00 por Pix) por Kiwify Pedido ABC1234'
    expect(await search(line)).toEqual({ types: ['OrderReported'], found: ['order ABC1234'] })
    expect(await search('21/11/2026 Ana Conceição abriu uma conta com o endereço de sempre')).toMatchObject({
      found: ['user Ana Conceição'],
    })
  })

  it('finds the very entry of a line that was pasted with its time, whatever it names', async () => {
    const moment = (seconds: number, zone = 'America/Sao_Paulo') =>
      new Intl.DateTimeFormat('pt-BR', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
        Date.parse(at(seconds)),
      )
    const { rows } = await prosa.ports.pool.query<{ id: string; type: string; recordedAt: string }>(
      `select id, type, recorded_at as "recordedAt" from history_place where group_name <> 'reading' order by place`,
    )
    for (const { type, recordedAt } of rows) {
      const seconds = (Date.parse(recordedAt) - Date.parse(at(0))) / 1000
      for (const words of [
        'Algo que não nomeia ninguém por Sistema',
        'Ana Conceição fez o que não é dela por Bia Reis',
      ]) {
        const line = `${moment(seconds)} ${words}`
        expect([line, (await search(line)).types]).toEqual([line, [type]])
      }
      expect((await search(`x ${recordedAt} y`)).types).toEqual([type])
    }
    // What the line names narrows what happened then; a code that did not happen then wins over the time.
    expect((await search(`${moment(4)} pedido ABC1234 por Sistema`)).types).toEqual(['OrderReported'])
    expect((await search('31/02/2026, 99:99:99 não é um momento')).types).toEqual([])
  })

  it('finds connections and flows by their whole name, alone or in quotation marks', async () => {
    const line = idOf('line of a shop')
    await append(idOf('shop'), `connection-${line}`, { type: 'ConnectionAdded', data: { name: 'Balcão' } })
    await prosa.ports.readModels.reached(['history-places', 'connections'], end, 20_000)
    expect(await search('balcão')).toEqual({ types: ['ConnectionAdded'], found: ['connection Balcão'] })
    const sentence = 'A linha de “Balcão” com o WhatsApp caiu e ninguém sabe bem por quê'
    expect((await search(sentence)).found).toEqual(['connection Balcão'])
    expect((await search('balc')).found).toEqual([])
  })

  it('finds reasons by their words', async () => {
    expect((await search('carta registrada')).types).toEqual(['AccessSet'])
    expect((await search('registr cart')).types).toEqual(['AccessSet'])
    expect((await search('carta extraviada')).types).toEqual([])
  })

  it('is narrowed by tenant, subject, kind of actor and days', async () => {
    expect((await search('ana conceicao', { group: 'access' })).types).toEqual(['AccessSet'])
    expect((await search('ana conceicao', { actor: 'admin' })).types).toEqual(['AccessSet'])
    expect((await search('ana conceicao', { from: '2026-11-22' })).types).toEqual([])
    expect((await search('zuleica', { tenant: ana })).types).toEqual(['ContactAdded'])
    expect((await search('zuleica', { tenant: bia })).types).toEqual([])
    const all = await prosa.get(`/api/admin/history?tenant=${ana}&group=all_but_readings`, root, end)
    const types = (all.body.items as HistoryThread[]).flatMap(({ entries }) => entries.map(({ type }) => type))
    expect(types).toEqual(['AccessSet', 'ContactAdded', 'UserRegistered'])
  })

  it('refuses a wrong range and a body that it does not know with a sentence', async () => {
    const messageOf = async (body: object) => {
      const reply = await ask('search', body)
      expect(reply.statusCode).toBe(422)
      const [{ field, message }] = reply.json().errors
      return `${field}: ${message}`
    }
    const range = 'to: O último dia vem antes do primeiro. Troque as datas.'
    expect(await messageOf({ text: 'ana', from: '2026-11-22', to: '2026-11-21' })).toBe(range)
    expect(await messageOf({ text: '  ' })).toBe('text: Escreva o que procurar.')
    expect(await messageOf({ text: 'x'.repeat(2001) })).toContain('no máximo 2000')
    for (const text of ['a\0b', '\ud800']) expect((await ask('search', { text })).statusCode).toBe(400)
    const inAddress = await prosa.get('/api/admin/history?from=2026-11-22&to=2026-11-21', root, end)
    expect([inAddress.status, inAddress.body.errors[0].message]).toEqual([422, range.slice(4)])
    for (const search of ['ana@padaria.com.br', 'ana%20souza'])
      expect((await prosa.get(`/api/admin/history?search=${search}`, root, end)).status).toBe(422)
  })

  it('in an address searches codes alone: no name is found there', async () => {
    const { body } = await prosa.get('/api/admin/history?search=Zuleica&group=all_but_readings', root, end)
    expect(body.items).toEqual([])
  })

  it('answers hostile texts as any other', async () => {
    const hostile = [
      ...["'; drop table account; --", ':* & | !', '%', '\\', '((((((', '<script>', '🧨'.repeat(400), 'a'.repeat(2000)],
      ...['@', '@@', 'y@', '\u202e', 'İ'.repeat(300), "order:' or 1=1", 'user:*', '*'],
    ]
    for (const text of hostile) expect([text, (await search(text)).types]).toEqual([text, []])
  })

  it('is for administrators alone', async () => {
    expect((await ask('search', { text: 'ana' }, ana)).statusCode).toBe(403)
    expect((await ask('export', { format: 'csv' }, ana)).statusCode).toBe(403)
    expect((await ask('search', { text: 'ana' }, '')).statusCode).toBe(401)
  })
})

describe('an export of the history', () => {
  it('has every event once, and a proof that holds', async () => {
    const ofAll = await exported({ format: 'ndjson' })
    expect(ofAll.verified).toMatchObject({ faults: [], proof: { filters: { group: 'all_but_readings' } } })
    const lines = ofAll.text
      .trim()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const { rows } = await prosa.ports.pool.query(
      `select id from history_place where group_name <> 'reading' and place <= $1 order by thread, place`,
      [ofAll.verified.proof?.to],
    )
    expect(lines.map(({ evento }) => evento)).toEqual(rows.map(({ id }) => id))
    expect(ofAll.verified.count).toBe(rows.length)
    const csv = await exported({ format: 'csv' })
    expect(csv.verified).toMatchObject({ faults: [], count: rows.length })
  })

  it('as CSV runs no formula, and keeps a reason on its line', async () => {
    const { text, verified } = await exported({ format: 'csv', record: `user:${ana}` })
    expect(verified).toMatchObject({ count: 2, faults: [] })
    expect(text).toContain(`"'=HYPERLINK(""http://x"") pediu por carta registrada"`)
  })

  it('states up to where it was read, and has nothing of what was appended meanwhile', async () => {
    const before = end
    const many = async () => {
      for (let index = 0; index < 40; index++)
        await append(bia, `user-${bia}`, { type: 'UserRenamed', data: { firstName: `Bia${index}`, lastName: 'Reis' } })
    }
    const [{ verified }] = await Promise.all([exported({ format: 'ndjson', tenant: bia }), many()])
    expect(verified.faults).toEqual([])
    const to = verified.proof?.to ?? ''
    expect(to >= before).toBe(true)
    await shown()
    const { rows } = await prosa.ports.pool.query(
      `select count(*)::int as count from history_place where owner = $1 and group_name <> 'reading' and place <= $2`,
      [bia, to],
    )
    expect(verified.count).toBe(rows[0]?.count)
    const later = await exported({ format: 'ndjson', tenant: bia })
    expect(later.verified).toMatchObject({ count: 41, faults: [] })
  })

  it('is recorded as read, of whom it is, with its purpose', async () => {
    await exported({ format: 'csv', record: `user:${bia}` })
    const { body } = await prosa.get(`/api/admin/history?record=user:${bia}&group=reading`, root, end)
    const types = (body.items as HistoryThread[]).flatMap(({ entries }) => entries.map(({ text }) => text))
    expect(types).toContain('Rui Castro baixou o histórico da conta de Bia39 Reis')
  })

  it('is refused with a sentence where a bounded look-up would have cut it', async () => {
    const { pool } = prosa.ports
    await pool.query(
      `insert into history_link select 'delivery:many' || n, 'order:many', null from generate_series(1, 600) n`,
    )
    await pool.query(
      `insert into history_reason select 'many' || n, '!' || n, 'user:many', 'demasiado' from generate_series(1, 301) n`,
    )
    for (const [field, body] of [
      ['record', { record: 'order:many' }],
      ['text', { text: 'demasiado' }],
    ] as const) {
      const reply = await ask('export', { format: 'csv', ...body })
      expect([reply.statusCode, reply.json().errors?.[0]?.field]).toEqual([422, field])
    }
  })

  it('breaks off, without its proof, once whoever asked may not read on', async () => {
    const question = {
      asked: {},
      format: 'ndjson',
      filters: {},
      upTo: end,
      madeAt: at(0),
      isEnded: async () => true,
    } as const
    const pieces: string[] = []
    const reading = async () => {
      for await (const piece of exportLines(prosa.ports, question)) pieces.push(piece)
    }
    await expect(reading()).rejects.toThrow(ExportEnded)
    expect(pieces).toEqual([])
  })

  it('of a thread with more events than are read at once is whole', async () => {
    const cause = idOf(`user-${bia} 0`)
    await prosa.ports.pool.query(
      `insert into history_place
       select 'x' || n, '!' || to_char(n, 'FM000000'), 'user-${bia}', 0, 'UserRegistered', 'user:long', 'account', 'long',
              'user', 'long', 'c', $1, '2025-01-01T00:00:00.000Z', '!000001', '2025-01-01T00:00:00.000Z', 0
       from generate_series(1, 1001) n`,
      [cause],
    )
    const { verified } = await exported({ format: 'csv', record: 'user:long' })
    expect(verified).toMatchObject({ count: 1001, faults: [] })
  })
})

describe('a person who was erased', () => {
  it('is in no search and no export', async () => {
    expect((await search(planted[3] ?? '')).types).toEqual(['AccessSet'])
    expect((await exported({ format: 'csv' })).text).toContain(planted[19])
    await append(gone, `user-${gone}`, { type: 'UserErased', data: {} }, admin, 'pedido por escrito')
    await prosa.ports.subjectKeys.erase([userSubject(gone)])
    await shown()
    const { rows } = await prosa.ports.pool.query('select words from history_reason where words like $1', [
      '%plantado%',
    ])
    expect(rows).toEqual([])
    for (const word of [...planted, `${planted[2]}@example.com`])
      expect([word, await search(word)]).toEqual([word, { types: [], found: [] }])
    for (const format of ['csv', 'ndjson'])
      for (const body of [
        { format },
        { format, record: `user:${gone}` },
        { format, tenant: gone },
        { format, text: gone },
      ]) {
        const { text, verified } = await exported(body)
        expect(verified.faults).toEqual([])
        expect(verified.count).toBeGreaterThan(17)
        expect(text).not.toContain('plantado')
      }
  })
})

describe('what was erased', () => {
  const read = async (path: string, user = root) => prosa.get(`/api/admin/erasures${path}`, user, end)

  it('says when, by whom, why, and proves by counts that nothing personal is left', async () => {
    const { body } = await read('')
    expect(body.items).toMatchObject([
      { kind: 'account', subjectId: gone, by: 'Rui Castro', reason: 'pedido por escrito', followed: [] },
    ])
    const rest = await read(`/${body.items[0].id}/rest`)
    // Of them one is a reading of the history above.
    expect(rest.body).toMatchObject({
      keys: { checked: 1, left: 0 },
      tables: { left: [], counts: [{ table: 'account_usage' }, { table: 'analytic_subscription' }] },
      events: 20,
      charges: 0,
    })
    expect(rest.body.tables.checked).toBeGreaterThan(10)
    expect(JSON.stringify([body, rest.body])).not.toContain('plantado')
  })

  it('shows what an erasure that is not complete leaves', async () => {
    const [{ id }] = (await read('')).body.items
    const label = `insert into label (id, owner, name, colour, sort_name) values ('l', $1, 'x', 'blue', 'x')`
    await prosa.ports.pool.query(label, [gone])
    await prosa.ports.subjectKeys.toEncrypt([userSubject(gone)])
    const { body } = await read(`/${id}/rest`)
    expect(body).toMatchObject({ keys: { left: 1 }, tables: { left: [{ table: 'label', count: 1 }] } })
  })

  it('is for administrators, and of erasures alone', async () => {
    expect((await read('', ana)).status).toBe(403)
    expect((await read(`/${idOf(`user-${ana} 0`)}/rest`)).status).toBe(404)
    expect((await read(`/${idOf(`user-${gone} 18`)}/rest`, ana)).status).toBe(403)
  })
})

describe('what a search reads', () => {
  it('is by index, however long the history is', async () => {
    const { pool } = prosa.ports
    await pool.query(
      `insert into history_place
       select '00000000-0000-4000-9000-' || lpad(to_hex(n), 12, '0'), '!!' || to_char(n, 'FM00000000'), 'user-x', n, 'UserLoggedIn', 'user:x' || n % 50, 'account', 'x' || n % 50,
              'user', 'x' || n % 50, 'c' || n, 'r' || n, '2025-01-01T00:00:00.000Z', '!!' || to_char(n, 'FM00000000'),
              '2025-01-01T00:00:00.000Z', 0, 't' || n % 50
       from generate_series(1, 60000) n`,
    )
    await pool.query(
      `insert into history_reason select 'r' || n, '!' || n, 'user:x', 'palavra' || n from generate_series(1, 60000) n`,
    )
    await pool.query('analyze history_place; analyze history_reason')
    const asked: string[] = []
    const explaining = new Proxy(pool, {
      get: (target, name) =>
        name !== 'query'
          ? Reflect.get(target, name)
          : async (first: { text: string; values: unknown[] }) => {
              const { rows } = await target.query(`explain ${first.text}`, first.values)
              asked.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
              return target.query({ text: first.text, values: first.values })
            },
    })
    const filters = [
      { text: 'palavra77' },
      { text: '00000000' },
      { text: 'ABC1234 c77 7f1c8a52' },
      { tenant: 't7' },
      { tenant: 't7', record: 'user:x7' },
      { text: 'palavra77', tenant: 't7', actor: 'user' as const },
      { text: '31/12/2024, 21:00:00 algo' },
    ]
    for (const each of filters) {
      const { threads } = await askedOf(explaining, each)
      await findThreads(explaining, { ...threads, limit: 26 })
      await findThreads(explaining, { ...threads, oldest: { after: '', upTo: end }, limit: 26 })
    }
    expect(asked.length).toBeGreaterThan(20)
    for (const plan of asked) expect(plan).not.toMatch(/Seq Scan on history_(place|reason)/)
  })
})
