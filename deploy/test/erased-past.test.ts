import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { whyFields } from '@prosa/contracts/http/history'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { keyScopes } from '@prosa/contracts/values/key-scopes'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { openDuckDb } from '@prosa/product/parquet/testing/duckdb'
import { unzip } from '@prosa/projections/testing/unzip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from './give-role.ts'
import { type Product, startProduct } from './product.ts'
import { questionFlow } from './question-flow.ts'
import { dumpOf, tracesOf } from './traces.ts'
import type { Visitor } from './visitor.ts'

const shopNumber = '5511900000001'
const number = '5511977001122'
const cpf = '529.982.247-25'
const planted = {
  names: ['Ana Vigia-Um', 'Ana Vigia-Dois', 'Ana Vigia-Chamada'],
  written: ['Bom dia da vigia-tres', 'Errei a vigia-quatro', 'Apago a vigia-cinco', 'vigia-seis@correio.example'],
  corrected: 'Quis escrever vigia-sete',
  answered: ['Oi da vigia-oito', 'Do programa vigia-nove'],
  onThePhone: 'Do celular vigia-dez',
  note: 'Nota vigia-onze',
  fields: ['Campo vigia-doze', 'vigia-treze@campo.example'],
  flowAnswer: 'Rua vigia-quatorze, 7',
  files: ['vigia-quinze.txt', 'vigia-dezesseis.txt'],
  captions: ['Legenda vigia-dezessete', 'Legenda vigia-dezoito'],
  contents: ['Conteúdo vigia-dezenove', 'Conteúdo vigia-vinte'],
}
const ofContact = [...Object.values(planted).flat(), number, cpf, cpf.replace(/\D/g, '')]
const profile = { firstName: 'Bia-Vigia', lastName: 'Souza-Vigia', email: 'bia.vigia@conta.example' }
const company = {
  name: 'Padaria Vigia',
  email: 'loja.vigia@loja.example',
  phone: '',
  website: '',
  address: 'Rua Vigia, 9',
}
const support = { subject: 'Assunto vigia', message: 'Pergunta vigia' }
const named = {
  connection: 'Balcão Vigia',
  label: 'Etiqueta vigia',
  flow: 'Fluxo vigia',
  field: 'Campo da vigia',
  key: 'Chave vigia',
  webhook: 'Sistema vigia',
  holiday: 'Feriado vigia',
  reply: 'Fechado, vigia',
  quickReply: 'Pix da vigia',
}
const ofTenant = [
  ...[...Object.values(profile), company.name, company.email, company.address],
  ...[...Object.values(support), ...Object.values(named)],
]

let database: TestPostgres
let folder: string
let product: Product
let tenant: Visitor
let admin: Visitor
const ids: Record<string, string> = {}
const keys: Record<string, string> = {}
const moments: string[] = []

beforeAll(async () => {
  database = await testPostgres()
  folder = await mkdtemp(join(tmpdir(), 'prosa-erased-past-'))
  product = await startProduct({ database, secret: randomBytes(32), files: diskFileStore(folder) })
  tenant = await product.visitor().register()
  admin = await product.visitor().register()
  await makeAdmin(product, admin)
  await liveWithAna()
}, 120_000)
afterAll(async () => {
  await product.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** So that every step has a moment of its own. */
const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const result = await work()
  moments.push(new Date().toISOString())
  return result
}

const liveWithAna = async () => {
  ids.tenant = (await tenant.get<{ id: string }>('/api/auth/user')).id
  const shop = product.whatsapp.addPhone(shopNumber, 'Padaria')
  await tenant.ask('PUT', '/api/auth/user', { ...profile, currentPassword: tenant.password })
  await tenant.ask('PUT', '/api/company', company)
  await tenant.post('/api/support/requests', support)
  await tenant.post('/api/quick-replies', { shortcut: 'pix', content: named.quickReply })
  ids.connection = (await tenant.link(shop, named.connection)).id
  const label = await tenant.post<{ id: string }>('/api/labels', { name: named.label, colour: 'red' })
  const fields: { id: string }[] = []
  for (const type of ['text', 'email', 'document'])
    fields.push(await tenant.post<{ id: string }>('/api/contact-fields', { name: `${named.field} ${type}`, type }))
  const flow = await tenant.post<{ id: string }>('/api/flows', { name: named.flow, document: questionFlow('entrega') })
  await tenant.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
  const webhook = await tenant.post<{ id: string }>('/api/webhooks', {
    ...{ name: named.webhook, address: 'http://127.0.0.1:9/', withPersonal: true },
    types: ['prosa.contacts.message-received.v1'],
  })
  const { key } = await tenant.post<{ key: string }>('/api/keys', {
    ...{ name: named.key, scopes: [...keyScopes], expiresInDays: 1, withPersonal: true },
  })
  keys.personal = key
  Object.assign(ids, { label: label.id, flow: flow.id, webhook: webhook.id })

  const holidays = [{ date: '2026-12-25', name: named.holiday, intervals: [] }]
  const open = Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }])
  await tenant.ask('PUT', '/api/opening-hours', { timeZone: 'America/Sao_Paulo', week: open, holidays })
  await tenant.ask('PATCH', '/api/opening-hours/reply', { text: named.reply })
  await tenant.ask('PATCH', '/api/opening-hours/reply', { isOn: true })

  const [name = '', secondName = '', givenName = ''] = planted.names
  const ana = product.whatsapp.addPhone(number, name)
  const write = (text: string) => step(() => ana.sendText(shopNumber, text))
  const [first = '', wrong = '', deleted = '', email = ''] = planted.written
  await write(first)
  const contact = await until<Contact | undefined>(async () => (await tenant.contacts('waiting'))[0])
  ids.contact = contact.id
  const about = `/api/whatsapp/contacts/${contact.id}`
  const hasMessage = (text: string) =>
    until(async () => (await tenant.messages(contact.id)).some(({ content }) => content === text))
  const wrongId = await write(wrong)
  await hasMessage(wrong)
  await step(() => ana.editMessage(shopNumber, wrongId, planted.corrected))
  await hasMessage(planted.corrected)
  const deletedId = await write(deleted)
  await hasMessage(deleted)
  await step(() => ana.deleteMessage(shopNumber, deletedId))
  ana.account.name = secondName
  await write(email)
  await write('entrega')
  await until(async () => JSON.stringify(await tenant.messages(contact.id)).includes('Qual é o endereço?'))
  await write(planted.flowAnswer)
  await until(async () => JSON.stringify(await tenant.messages(contact.id)).includes(`Anotado: ${planted.flowAnswer}`))

  await step(() => tenant.ask('PUT', `${about}/name`, { name: givenName }))
  ids.note = (await step(() => tenant.post<{ id: string }>(`${about}/notes`, { text: planted.note }))).id
  for (const [index, value] of [...planted.fields, cpf].entries())
    await step(() => tenant.ask('PUT', `${about}/fields/${fields[index]?.id}`, { value }))
  await tenant.post(`/api/labels/${label.id}/contacts`, { contactIds: [contact.id], isLabelled: true })

  const [answer = '', byProgram = ''] = planted.answered
  const [run] = await tenant.get<{ id: string }[]>(`/api/flows/${flow.id}/runs`)
  ids.run = run?.id ?? ''
  const quoted = (await tenant.messages(contact.id)).find(({ content }) => content === first)
  await step(() =>
    tenant.post('/api/whatsapp/send-message', {
      ...{ connectionId: ids.connection, contactId: contact.id, message: answer, quotedMessageId: quoted?.id },
    }),
  )
  await step(() => withKey('POST', '/api/v1/messages', { contactId: contact.id, text: byProgram }))
  await step(() => shop.sendText(number, planted.onThePhone))
  const [received = '', sent = ''] = planted.contents
  const [fileName = '', sentName = ''] = planted.files
  const [caption = '', sentCaption = ''] = planted.captions
  await step(() =>
    ana.sendMedia(shopNumber, 'document', Buffer.from(received), { mimetype: 'text/plain', fileName, caption }),
  )
  const file = await tenant.post<{ id: string }>('/api/whatsapp/media', Buffer.from(sent))
  ids.media = file.id
  await step(() =>
    tenant.post('/api/whatsapp/send-message', {
      ...{ connectionId: ids.connection, contactId: contact.id, message: sentCaption },
      media: { id: file.id, as: 'document', fileName: sentName },
    }),
  )
  const shown = await until(async () => {
    const all = await tenant.messages(contact.id)
    return all.filter(({ media }) => media?.status === 'ready').length === 2 && all
  })
  ids.message = shown[0]?.id ?? ''
  ids.received = shown.find(({ media, sender }) => media && sender === 'contact')?.media?.id ?? ''
  await until(async () => JSON.stringify(await tenant.messages(contact.id)).includes(planted.onThePhone))
}

const withKey = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(product.url + path, {
    method,
    headers: { authorization: `Bearer ${keys.personal}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok && response.status !== 404) throw new Error(`${method} ${path}: ${response.status} ${bytes}`)
  return bytes
}

const parquetText = async (bytes: Buffer, name: string) => {
  const path = join(folder, `${name.replace(/\W/g, '-')}.parquet`)
  await writeFile(path, bytes)
  const duck = await openDuckDb()
  try {
    return JSON.stringify(await duck.query(`select * from '${path}'`))
  } finally {
    duck.close()
    await rm(path)
  }
}

/** Shown text by question. */
type Shown = Map<string, string>
const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

/** Of what a path needs: the contact's, or the tenant's, by the path before it. */
const idOf: Readonly<Record<string, () => string | undefined>> = {
  '/api/whatsapp/media': () => ids.media,
  '/api/flows': () => ids.flow,
  '/api/flows/:id/versions': () => '1',
  '/api/flow-runs': () => ids.run,
  '/api/webhooks': () => ids.webhook,
  '/api/records': () => 'contact',
  '/api/history': () => 'contact',
  '/api/admin/records': () => 'contact',
  '/api/admin/history': () => 'contact',
}
/** Others than themselves: secrets of somebody else, files that are read below, and what is nobody's. */
const withoutContact =
  /^\/(r|api\/(terms|public|support|kiwify|profile-photos|streams\/(days|asyncapi)|exports|whatsapp\/qr)|api\/admin\/(users\/:id|transactions\/:id|webhook-logs\/:id|erasures\/:id|flow-links))/

const queriesOf = ({ path }: Endpoint, texts: readonly string[]): string[] => {
  if (path === '/api/whatsapp/search') return texts.map((text) => `q=${encodeURIComponent(text)}`)
  if (path === '/api/v1/contacts' || path === '/api/whatsapp/contacts')
    return ['', ...texts.map((text) => `search=${encodeURIComponent(text)}`)]
  if (path === '/api/streams/events' || path === '/api/streams/tables/:name')
    return ['format=ndjson&personal=true', 'format=csv&personal=true', 'format=parquet&personal=true'].map((query) =>
      path.endsWith('events') ? query : query.replace('&personal=true', ''),
    )
  if (path.endsWith('/history') && path.includes('contacts')) return ['', 'texts=true']
  if (path === '/api/admin/history') return ['', `record=user:${ids.tenant}`, `record=contact:${ids.contact}`]
  if (path.endsWith('history/state')) return moments.map((at) => `user=${ids.tenant}&at=${at}`)
  if (path.endsWith(':field')) return ['', `part=${ids.label}`, `part=${ids.message}`]
  if (path === '/api/whatsapp/contacts/:id/messages') return ['', `around=${ids.message}`]
  return ['']
}
const tables = ['conversations', 'messages', 'connections', 'subscriptions']
const pathsOf = (each: Endpoint): string[] => {
  const parts = each.path.split('/')
  const path = parts
    .map((part, index) =>
      part.startsWith(':')
        ? (idOf[parts.slice(0, index).join('/')]?.() ?? part.replace(/^:id$/, ids.contact ?? ''))
        : part,
    )
    .join('/')
  if (path.includes(':field')) return whyFields.contact.map((field) => path.replace(':field', field))
  return path.includes(':name') ? tables.map((name) => path.replace(':name', name)) : [path]
}

/** The past is not searched by words; tokens are their reader's own. */
const momentsFor = (
  { query: schema, role }: Endpoint,
  query: string,
  all: readonly string[],
): (string | undefined)[] => {
  const em = role ? all.filter((moment) => moments.includes(moment)) : all
  const takesMoment = schema && 'shape' in schema && 'em' in (schema.shape as object)
  if (!takesMoment || query.startsWith('search')) return [undefined]
  return schema.safeParse({}).success ? [undefined, ...em] : [...em]
}

const getAll = async (shown: Shown, em: readonly string[], isAsked: (each: Endpoint) => boolean) => {
  const gets = (endpoints as readonly Endpoint[]).filter(
    (each) => each.method === 'GET' && !withoutContact.test(each.path) && isAsked(each),
  )
  for (const each of gets) {
    for (const path of pathsOf(each))
      for (const query of queriesOf(each, ofContact))
        for (const moment of momentsFor(each, query, em)) {
          const asked = [query, ...(moment ? [`em=${encodeURIComponent(moment)}`] : [])].filter(Boolean).join('&')
          const url = asked ? `${path}?${asked}` : path
          shown.set(`GET ${url}`, await answerOf(each, url))
        }
  }
}

const answerOf = async (each: Endpoint, url: string): Promise<string> => {
  if (each.key) {
    const bytes = await withKey('GET', url)
    return url.includes('parquet') && bytes.subarray(0, 4).toString() === 'PAR1'
      ? parquetText(bytes, url)
      : String(bytes)
  }
  const reply = await (each.role ? admin : tenant).ask('GET', url)
  if (![200, 404].includes(reply.status)) throw new Error(`GET ${url}: ${reply.status} ${textOf(reply.body)}`)
  return textOf(reply.body)
}

const lastDays = () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return { from: day(2), to: day(-1) }
}

const ask = async (shown: Shown, visitor: Visitor, path: string, body: unknown, what = '') => {
  const reply = await visitor.ask('POST', path, body)
  if (reply.status !== 200) throw new Error(`POST ${path}: ${reply.status} ${textOf(reply.body)}`)
  shown.set(`POST ${path} ${what}`, textOf(reply.body))
}

/** Searches are bodies. */
const searchAll = async (shown: Shown, texts: readonly string[]) => {
  for (const list of ['contacts', 'messages', 'users', 'transactions'])
    for (const search of texts) {
      await ask(shown, admin, `/api/admin/${list}/search`, { search }, search)
      await ask(shown, admin, `/api/admin/${list}.csv`, { search }, search)
    }
  for (const text of texts) await ask(shown, admin, '/api/admin/history/search', { text }, text)
  for (const format of ['csv', 'ndjson'])
    for (const record of [`user:${ids.tenant}`, `contact:${ids.contact}`])
      await ask(shown, admin, '/api/admin/history/export', { record, format }, `${record} ${format}`)
}

const unzipped = async (shown: Shown, visitor: Visitor, path: string) => {
  const { id } = await visitor.post<{ id: string }>(path, {})
  for (const [name, content] of await unzip(Buffer.from(await visitor.bytes(`${path}/${id}`))))
    shown.set(`export ${path} ${name}`, content.toString('utf8'))
}

/** Of the tenant, to itself and to administrators. */
const everythingShown = async () => {
  const shown: Shown = new Map()
  const now = encodeURIComponent(new Date().toISOString())
  const { marks } = await tenant.get<{ marks: { em: string }[] }>(`/api/moments?em=${now}&contactId=${ids.contact}`)
  await getAll(shown, [...moments, ...marks.filter((_, index) => index % 3 === 0).map(({ em }) => em)], () => true)
  await searchAll(shown, ofContact)
  const otherDay = (new Date().getUTCDay() + 3) % 7
  const closed = Array.from({ length: 7 }, (_, day) => (day === otherDay ? [{ from: '08:00', to: '09:00' }] : []))
  await ask(shown, tenant, '/api/opening-hours/what-if', {
    ...{ timeZone: 'America/Sao_Paulo', week: closed, holidays: [], isReplyOn: true, ...lastDays() },
  })
  await ask(shown, tenant, `/api/flows/${ids.flow}/replay`, { document: questionFlow('bom'), ...lastDays() })
  await unzipped(shown, tenant, '/api/exports')
  await unzipped(shown, admin, `/api/admin/users/${ids.tenant}/exports`)
  for (const id of [ids.media, ids.received])
    shown.set(`file ${id}`, textOf((await tenant.ask('GET', `/api/whatsapp/media/${id}`)).body))
  return shown
}

const shownToAdministrators = async () => {
  const shown: Shown = new Map()
  await getAll(shown, moments, ({ role }) => role === 'admin')
  await searchAll(shown, ofTenant)
  await ask(shown, admin, '/api/admin/plan-what-if', { trialDays: 400, ...lastDays() })
  return shown
}

/** Where any planted text is shown. */
const leaks = (shown: Shown, texts: readonly string[]) =>
  [...shown].flatMap(([question, text]) => {
    const found = tracesOf(texts, text)
    return found.length > 0 ? [[question, found]] : []
  })

const hasNoKey = async (subject: string) => {
  const { rows } = await database.pool.query('select from subject_key where subject = $1 and wrapped is not null', [
    subject,
  ])
  return rows.length === 0
}

describe('an erased contact', () => {
  let questions: number

  it('was shown with each of more than 20 strings, at moments, in searches and in exports', async () => {
    const shown = await everythingShown()
    questions = shown.size
    expect(ofContact.length).toBeGreaterThan(20)
    const shownIn = (kind: RegExp) =>
      [...shown]
        .filter(([question]) => kind.test(question))
        .map(([, text]) => text)
        .join('\n')
    expect(ofContact.filter((text) => tracesOf([text], shownIn(/./)).length === 0)).toEqual([])
    expect(tracesOf(ofContact, shownIn(/em=/)).length).toBeGreaterThanOrEqual(10)
    for (const kind of [
      /whatsapp\/search/,
      /admin\/messages\/search/,
      /admin\/history\/search/,
      /export \/api\/exports/,
      /streams\/events.*parquet/,
      /tables\/messages.*parquet/,
      /what-if/,
      /replay/,
    ])
      expect([String(kind), tracesOf(ofContact, shownIn(kind)).length > 0]).toEqual([String(kind), true])
  }, 300_000)

  it('is shown with none of them anywhere once erased, and the database has none', async () => {
    expect((await tenant.ask('DELETE', `/api/whatsapp/contacts/${ids.contact}`)).status).toBe(200)
    await until(() => hasNoKey(`contact:${ids.contact}`))
    await until(async () => (await database.pool.query('select from chat_message')).rowCount === 0)
    const shown = await everythingShown()
    expect(leaks(shown, ofContact)).toEqual([])
    expect(shown.size).toBeGreaterThan(questions / 2)
    const everything = [...shown.values()].join('\n')
    expect(everything).toContain('[apagado]')
    for (const [table, rows] of await dumpOf(database.pool))
      expect([table, tracesOf(ofContact, rows)]).toEqual([table, []])
  }, 300_000)
})

describe('an erased account', () => {
  it('was shown to administrators', async () => {
    const text = [...(await shownToAdministrators()).values()].join('\n')
    const shown = [...Object.values(profile), ...Object.values(support), named.connection, named.flow]
    expect(shown.filter((each) => !text.includes(each))).toEqual([])
    expect(tracesOf(ofTenant, [...(await dumpOf(database.pool)).values()].join('\n'))).not.toEqual([])
  }, 300_000)

  it('is shown to them with none of its strings, at no moment, once erased', async () => {
    const reason = 'A pessoa pediu'
    const erased = await admin.ask('DELETE', `/api/admin/users/${ids.tenant}`, { reason })
    expect([erased.status, erased.body]).toMatchObject([200, {}])
    await until(() => hasNoKey(`user:${ids.tenant}`))
    await until(async () => tracesOf(ofTenant, [...(await dumpOf(database.pool)).values()].join('\n')).length === 0)
    const shown = await shownToAdministrators()
    expect(leaks(shown, [...ofTenant, ...ofContact])).toEqual([])
    expect([...shown.values()].join('\n')).toContain(reason)
  }, 300_000)
})
