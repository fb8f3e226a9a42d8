import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { type Endpoints, endpoints } from '@prosa/contracts/http/endpoints'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import { namesSomething, sampleBody } from './sample-body.ts'
import type { Visitor } from './visitor.ts'

const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

let product: Product
let tenant: Visitor
let stranger: Visitor
let mine: {
  contactId: string
  connectionId: string
  messageId: string
  mediaId: string
  quickReplyId: string
  labelId: string
  fieldId: string
  flowId: string
  flowFolderId: string
  noteId: string
  exportId: string
  photoId: string
  keyId: string
  webhookId: string
}

beforeAll(async () => {
  product = await startProduct()
  tenant = await product.visitor().register()
  stranger = await product.visitor().register()
  const shop = product.whatsapp.addPhone('5511900000001', 'Padaria Sol')
  const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
  const connection = await tenant.link(shop)
  await ana.sendText('5511900000001', 'segredo da Ana')
  const contact = await until<Contact | undefined>(async () => (await tenant.contacts('waiting'))[0])
  const message = await until(async () => (await tenant.messages(contact.id))[0])
  const file = await tenant.post<{ id: string }>('/api/whatsapp/media', Buffer.from('segredo em arquivo'))
  const about = { name: 'segredo', email: '', phone: '', website: '', address: 'segredo' }
  await tenant.ask('PUT', '/api/company', about)
  const open = [{ from: '08:00', to: '18:00' }]
  const holidays = [{ date: '2026-12-25', name: 'segredo', intervals: [] }]
  const hours = { timeZone: 'America/Manaus', week: Array.from({ length: 7 }, () => open), holidays }
  await tenant.ask('PUT', '/api/opening-hours', hours)
  await tenant.ask('PATCH', '/api/opening-hours/reply', { text: 'segredo fora do horário' })
  const reply = await tenant.post<{ id: string }>('/api/quick-replies', { shortcut: 'pix', content: 'segredo do pix' })
  const label = await tenant.post<{ id: string }>('/api/labels', { name: 'segredo da etiqueta', colour: 'red' })
  await tenant.post(`/api/labels/${label.id}/contacts`, { contactIds: [contact.id], isLabelled: true })
  const field = await tenant.post<{ id: string }>('/api/contact-fields', { name: 'segredo do campo', type: 'text' })
  const value = { value: 'segredo no campo' }
  await tenant.ask('PUT', `/api/whatsapp/contacts/${contact.id}/fields/${field.id}`, value)
  const folder = await tenant.post<{ id: string }>('/api/flow-folders', { name: 'segredo da pasta' })
  const flow = await tenant.post<{ id: string }>('/api/flows', { name: 'segredo do fluxo', folderId: folder.id })
  await tenant.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
  await tenant.ask('PUT', '/api/default-flow', { flowId: flow.id })
  const note = await tenant.post<{ id: string }>(`/api/whatsapp/contacts/${contact.id}/notes`, {
    text: 'nota em segredo',
  })
  const copy = await tenant.post<{ id: string }>('/api/exports', {})
  const key = await tenant.post<{ id: string }>('/api/keys', {
    ...{ name: 'segredo da chave', scopes: ['streams'], expiresInDays: 1 },
  })
  const webhook = await tenant.post<{ id: string }>('/api/webhooks', {
    ...{ name: 'segredo do webhook', address: 'http://127.0.0.1:9/segredo', withPersonal: true },
    types: ['prosa.contacts.message-received.v1'],
  })
  const photo = await tenant.ask('PUT', '/api/auth/photo', onePixel)
  mine = {
    contactId: contact.id,
    connectionId: connection.id,
    messageId: message.id,
    mediaId: file.id,
    quickReplyId: reply.id,
    labelId: label.id,
    fieldId: field.id,
    flowId: flow.id,
    flowFolderId: folder.id,
    noteId: note.id,
    exportId: copy.id,
    keyId: key.id,
    webhookId: webhook.id,
    photoId:
      String((photo.body as { profileImageUrl: string }).profileImageUrl)
        .split('/')
        .at(-1) ?? '',
  }
}, 60_000)
afterAll(() => product?.stop())

const lastDays = () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return { from: day(2), to: day(-1) }
}

interface Found {
  items: unknown[]
}

interface Attempt {
  body?: () => unknown
  expected?: number
}

/** Only where the record of the endpoint does not tell enough. */
const attempts: Partial<Record<keyof Endpoints, Attempt>> = {
  'POST /api/auth/forgot-password': { body: () => ({ email: 'ninguem@example.com' }) },
  'POST /api/auth/reset-password': {
    expected: 410,
    body: () => ({ token: 'inventado', password: 'uma senha comprida' }),
  },
  'POST /api/auth/confirm-email': { expected: 410, body: () => ({ token: 'inventado' }) },
  'POST /kiwify/payment/approved': { expected: 401, body: () => Buffer.from('{}') },
  'POST /kiwify/payment/refunded': { expected: 401, body: () => Buffer.from('{}') },
  'PUT /api/auth/photo': { expected: 422, body: () => Buffer.from('MZ, um programa') },
  'PUT /api/auth/user': {
    expected: 409,
    body: () => {
      const profile = { firstName: 'Marina', lastName: 'Alves', email: tenant.email }
      return { ...profile, currentPassword: stranger.password }
    },
  },
  'POST /api/auth/erase-account': { expected: 422, body: () => ({ password: 'errada' }) },
  'PUT /api/auth/password': {
    expected: 422,
    body: () => ({ currentPassword: 'errada', newPassword: 'outra senha boa' }),
  },
  'POST /api/exports': { expected: 404, body: () => ({ contactId: mine.contactId }) },
  'POST /api/whatsapp/connections/:id/pairing-code': { body: () => ({ phone: '11900000001' }) },
  'POST /api/whatsapp/contacts/:id/flow-runs': { body: () => ({ flowId: mine.flowId }) },
  'POST /api/whatsapp/contacts/:id/bot-pause': { body: () => ({ hours: null }) },
  'POST /api/whatsapp/contacts/:id/line': { body: () => ({ connectionId: mine.connectionId }) },
  'POST /api/whatsapp/contacts/:id/separate': { body: () => ({ contactId: mine.contactId }) },
  'POST /api/whatsapp/contacts/:id/messages/:messageId/reaction': {
    body: () => ({ connectionId: mine.connectionId, emoji: '👍' }),
  },
  'POST /api/whatsapp/media': { expected: 422, body: () => Buffer.alloc(0) },
  'PATCH /api/opening-hours/reply': { expected: 409, body: () => ({ isOn: true }) },
  'POST /api/labels/:id/contacts': { body: () => ({ contactIds: [mine.contactId], isLabelled: true }) },
  'POST /api/flows': { expected: 404, body: () => ({ name: 'meu', folderId: mine.flowFolderId }) },
  'PATCH /api/flows/:id': { body: () => ({ folderId: mine.flowFolderId }) },
  'PUT /api/flows/:id/draft': { body: () => ({ document: starterFlow(), basedOn: 0 }) },
  'POST /api/flows/check': { body: () => ({ document: starterFlow() }) },
  'POST /api/webhooks/:id/repeat': { body: () => ({ eventId: null }) },
  // A name is each tenant's own: nothing is stored, and nothing is there to remove.
  'PUT /api/flow-secrets/:name': { expected: 422, body: () => ({}) },
  'DELETE /api/flow-secrets/:name': { expected: 200 },
  'PUT /api/default-flow': { expected: 404, body: () => ({ flowId: mine.flowId }) },
  // Over its own contacts.
  'POST /api/opening-hours/what-if': {
    expected: 200,
    body: () => ({
      ...{ timeZone: 'America/Sao_Paulo', week: [[], [{ from: '08:00', to: '18:00' }], [], [], [], [], []] },
      ...{ isReplyOn: true, ...lastDays() },
    }),
  },
  'PUT /api/flow-order': { expected: 404, body: () => ({ flowIds: [mine.flowId] }) },
  'POST /api/flow-order/who-answers': { body: () => ({ text: 'oi', connectionId: mine.connectionId }) },
  'POST /api/flows/:id/test': { body: () => ({ document: starterFlow(), inputs: [], contact: {} }) },
  'POST /api/flows/:id/replay': { body: () => ({ document: starterFlow() }) },
  // Its own rows.
  'GET /api/streams/tables/:name': { expected: 200 },
  'POST /api/whatsapp/contacts/search': {
    expected: 200,
    body: () => ({ search: '11988776655', label: mine.labelId, connectionId: mine.connectionId }),
  },
  'POST /api/whatsapp/search': { expected: 404, body: () => ({ q: 'segredo', contactId: mine.contactId }) },
  'POST /api/v1/contacts/search': { body: () => ({ search: '11988776655' }) },
  'POST /api/v1/messages': { body: () => ({ contactId: mine.contactId, text: 'oi' }) },
  'POST /api/v1/flows/:id/runs': { body: () => ({ contactId: mine.contactId }) },
  'POST /api/whatsapp/send-message': {
    expected: 404,
    body: () => ({ connectionId: mine.connectionId, contactId: mine.contactId, message: 'oi' }),
  },
}

/** What the first tenant has, by the path before its id. */
const ids: Readonly<Record<string, () => string>> = {
  '/api/whatsapp/connections': () => mine.connectionId,
  '/api/whatsapp/quick-session': () => mine.connectionId,
  '/api/whatsapp/session': () => mine.connectionId,
  '/api/whatsapp/qr': () => mine.connectionId,
  '/api/whatsapp/contacts': () => mine.contactId,
  '/api/whatsapp/contacts/:id/messages': () => mine.messageId,
  '/api/whatsapp/contacts/:id/notes': () => mine.noteId,
  '/api/whatsapp/media': () => mine.mediaId,
  '/api/v1/contacts': () => mine.contactId,
  '/api/v1/flows': () => mine.flowId,
  '/api/exports': () => mine.exportId,
  '/api/keys': () => mine.keyId,
  '/api/webhooks': () => mine.webhookId,
  '/api/profile-photos': () => mine.photoId,
  '/api/labels': () => mine.labelId,
  '/api/contact-fields': () => mine.fieldId,
  '/api/whatsapp/contacts/:id/fields': () => mine.fieldId,
  '/api/quick-replies': () => mine.quickReplyId,
  '/api/flow-folders': () => mine.flowFolderId,
  '/api/flows': () => mine.flowId,
  '/api/flows/:id/versions': () => '1',
  '/api/flow-secrets': () => 'chave',
  '/api/records': () => 'contact',
  '/api/records/:kind': () => mine.contactId,
  // Runs and purchases of others are tried in `tenant-filters.test.ts`.
  '/api/flow-runs': () => mine.contactId,
  '/api/kiwify/transactions': () => mine.contactId,
  '/api/history': () => 'contact',
  '/api/history/:kind': () => mine.contactId,
  '/api/history/:kind/:id/why': () => 'status',
  '/r': () => 'inventado',
  '/api/streams/tables': () => 'conversations',
  '/api/streams/days': () => '2026-11-20',
  '/api/streams/days/:day': () => 'prosa.contacts.message-received.v1.parquet',
}

const now = () => `?em=${new Date().toISOString()}`
/** Where a request without is refused. */
const queries: Readonly<Record<string, () => string>> = {
  '/api/whatsapp/search': () => '?q=segredo',
  '/api/moments': now,
  '/api/moments/changes': now,
  '/api/records/:kind/:id': now,
}

const listed: readonly Endpoint[] = endpoints
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}` as keyof Endpoints
const hasParameters = ({ path }: Endpoint) => path.includes('/:')

const idBelow = (prefix: string, { role }: Endpoint): string => {
  const own = ids[prefix]?.()
  if (own === undefined && !role) throw new Error(`nothing of the first tenant is made for ${prefix}`)
  return own ?? mine.contactId
}
const pathOf = (each: Endpoint) => {
  const parts = each.path.split('/')
  const filled = parts.map((part, index) =>
    part.startsWith(':') ? idBelow(parts.slice(0, index).join('/'), each) : part,
  )
  return `${filled.join('/')}${queries[each.path]?.() ?? ''}`
}

/** A body that is taken where something of the first is named, else an empty one. */
const bodyOf = (each: Endpoint): unknown => {
  const { body } = attempts[nameOf(each)] ?? {}
  if (body) return body()
  if (each.role || !each.body) return undefined
  return hasParameters(each) ? sampleBody(each.body) : {}
}

const expectedOf = (each: Endpoint, body: unknown): number => {
  const { expected } = attempts[nameOf(each)] ?? {}
  if (expected !== undefined) return expected
  if (each.role) return 403
  // Keys are tried in `keys-on-every-route.test.ts`.
  if (each.key && !each.alsoInBrowser) return 401
  if (hasParameters(each)) return 404
  return each.body && !each.body.safeParse(body).success ? 422 : 200
}

describe('a second tenant', () => {
  it('is tried on every route of the product', () => {
    const routes = product.routes
      .filter(({ method, url }) => /^\/(kiwify|api|r)\/(?!docs)/.test(url) && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`)
    expect([...new Set(routes)].sort()).toEqual(listed.map(nameOf).sort())
  })

  it('names something of the first wherever a body names anything', () => {
    const unnamed = listed.filter((each) => !each.role && namesSomething(each.body) && !attempts[nameOf(each)]?.body)
    expect(unnamed.map(nameOf)).toEqual([])
  })

  it('is refused on every route that names something of the first, and shown nothing of it', async () => {
    for (const each of listed.filter((endpoint) => nameOf(endpoint) !== 'POST /api/auth/logout')) {
      const name = nameOf(each)
      const body = bodyOf(each)
      const reply = await stranger.ask(each.method, pathOf(each), body)
      expect([name, reply.status]).toEqual([name, expectedOf(each, body)])
      const text = JSON.stringify(reply.body)
      for (const secret of ['segredo', '5511988776655', 'Padaria', tenant.email, ...Object.values(mine)])
        expect([name, text.includes(secret)]).toEqual([name, false])
    }
    expect((await tenant.contacts('waiting')).map(({ id }) => id)).toEqual([mine.contactId])
    expect((await tenant.connections())[0]?.status).toBe('connected')
  })

  it('puts no label of its own on a contact of the first, and finds nobody by a label of the first', async () => {
    const label = await stranger.post<{ id: string }>('/api/labels', { name: 'Minha', colour: 'blue' })
    const body = { contactIds: [mine.contactId], isLabelled: true }
    const { refused } = await stranger.post<{ refused: unknown[] }>(`/api/labels/${label.id}/contacts`, body)
    expect(refused).toMatchObject([{ contactId: mine.contactId, type: 'contact_not_found' }])
    expect(await stranger.get(`/api/whatsapp/contacts?label=${mine.labelId}`)).toEqual([])
    expect((await tenant.contacts('waiting'))[0]?.labels).toEqual([mine.labelId])
  })

  it('sets no field of its own on a contact of the first, nor one of the first on its own', async () => {
    const body = { name: 'Meu campo', type: 'text' }
    const { id } = await stranger.post<{ id: string }>('/api/contact-fields', body)
    const put = (contactId: string, fieldId: string) =>
      stranger.ask('PUT', `/api/whatsapp/contacts/${contactId}/fields/${fieldId}`, { value: 'x' })
    expect((await put(mine.contactId, id)).status).toBe(404)
    product.whatsapp.addPhone('5511955554444', 'Zé')
    const own = await stranger.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511955554444' })
    expect((await put(own.id, mine.fieldId)).status).toBe(404)
    expect(await tenant.get(`/api/whatsapp/contacts/${mine.contactId}/fields`)).toEqual([
      { fieldId: mine.fieldId, value: 'segredo no campo' },
    ])
  })

  it('cannot search in a conversation of the first, nor find its contacts or messages', async () => {
    const inside = { q: 'segredo', contactId: mine.contactId }
    const address = `/api/whatsapp/search?${new URLSearchParams(inside)}`
    expect((await tenant.get<unknown[]>(address)).length).toBeGreaterThan(0)
    expect((await tenant.post<Found>('/api/whatsapp/search', inside)).items.length).toBeGreaterThan(0)
    expect((await tenant.post<Found>('/api/whatsapp/contacts/search', { search: '88776655' })).items).toHaveLength(1)
    for (const { status, body } of [
      await stranger.ask('GET', address),
      await stranger.ask('POST', '/api/whatsapp/search', inside),
    ])
      expect([status, body]).toMatchObject([404, { type: 'contact_not_found' }])
    for (const search of ['88776655', 'segredo'])
      expect((await stranger.post<Found>('/api/whatsapp/contacts/search', { search })).items).toEqual([])
    expect((await stranger.post<Found>('/api/whatsapp/search', { q: 'segredo' })).items).toEqual([])
  })

  it('cannot write to a contact of the first over a connection of its own', async () => {
    const phone = product.whatsapp.addPhone('5511900000002', 'Outra loja')
    const connection = await stranger.link(phone)
    const body = { connectionId: connection.id, contactId: mine.contactId, message: 'oi' }
    expect((await stranger.ask('POST', '/api/whatsapp/send-message', body)).status).toBe(404)
  })

  it('cannot have answers leave over a connection of the first, nor find anybody by it', async () => {
    const { id } = await stranger.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511988776655' })
    const { connectionId } = mine
    const choice = await stranger.ask('POST', `/api/whatsapp/contacts/${id}/line`, { connectionId })
    expect([choice.status, choice.body]).toMatchObject([404, { type: 'connection_not_found' }])
    const wish = { connectionId, contactId: id, message: 'oi' }
    const sent = await stranger.ask('POST', '/api/whatsapp/send-message', wish)
    expect([sent.status, sent.body]).toMatchObject([404, { type: 'connection_not_found' }])
    expect(await stranger.get(`/api/whatsapp/contacts?connectionId=${connectionId}`)).toEqual([])
    expect(await stranger.get(`/api/whatsapp/search?q=segredo&connectionId=${connectionId}`)).toEqual([])
    expect(await stranger.get(`/api/whatsapp/contact-counts?connectionId=${connectionId}`)).toMatchObject({
      waiting: 0,
    })
    expect(await stranger.get(`/api/whatsapp/longest-waiting?connectionId=${connectionId}`)).toEqual({ contact: null })
    expect(await tenant.get(`/api/whatsapp/contact-counts?connectionId=${connectionId}`)).toMatchObject({ waiting: 1 })
    expect(await tenant.get<unknown[]>(`/api/whatsapp/search?q=segredo&connectionId=${connectionId}`)).toHaveLength(1)
  })

  it('cannot send a file of the first to a contact of its own', async () => {
    const [connection] = await stranger.connections()
    const { id: contactId } = await stranger.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511988776655' })
    const body = { connectionId: connection?.id, contactId, media: { id: mine.mediaId, as: 'document' } }
    expect((await stranger.ask('POST', '/api/whatsapp/send-message', body)).status).toBe(404)
  })

  it('is refused everywhere without having signed in', async () => {
    const visitor = product.visitor()
    for (const each of listed) {
      const body = bodyOf(each)
      const reply = await visitor.ask(each.method, pathOf(each), body)
      expect([nameOf(each), reply.status]).toEqual([nameOf(each), each.open ? expectedOf(each, body) : 401])
    }
  })

  it('is in no room of the first and receives nothing of it', async () => {
    const [own, foreign] = [tenant.socket(), stranger.socket()]
    const leaked: unknown[] = []
    foreign.onAny((event, payload) => {
      if (JSON.stringify(payload).includes(mine.contactId) || JSON.stringify(payload).includes(mine.connectionId))
        leaked.push(event)
    })
    await until(() => own.connected && foreign.connected)
    expect(await foreign.emitWithAck('contact:open', mine.contactId)).toBe(false)
    expect(await own.emitWithAck('contact:open', mine.contactId)).toBe(true)

    const received = new Promise((resolve) => own.once('whatsapp:new_message', resolve))
    const ana = product.whatsapp.phones.get('5511988776655')
    await ana?.sendText('5511900000001', 'mais um segredo')
    await received
    await foreign.emitWithAck('contact:open', mine.contactId) // a round trip later no event has arrived
    expect(leaked).toEqual([])
    own.close()
    foreign.close()
  })
})
