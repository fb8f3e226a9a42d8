import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, type Route, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

let product: Product
let owner: Visitor
let stranger: Visitor
let mine: {
  contactId: string
  connectionId: string
  messageId: string
  mediaId: string
  quickReplyId: string
  labelId: string
  flowId: string
  flowFolderId: string
  noteId: string
  exportId: string
  photoId: string
}

beforeAll(async () => {
  product = await startProduct()
  owner = await product.visitor().register()
  stranger = await product.visitor().register()
  const shop = product.whatsapp.addPhone('5511900000001', 'Padaria Sol')
  const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
  const connection = await owner.link(shop)
  await ana.sendText('5511900000001', 'segredo da Ana')
  const contact = await until<Contact | undefined>(async () => (await owner.contacts('waiting'))[0])
  const message = await until(async () => (await owner.messages(contact.id))[0])
  const file = await owner.post<{ id: string }>('/api/whatsapp/media', Buffer.from('segredo em arquivo'))
  const about = { name: 'segredo', email: '', phone: '', website: '', address: 'segredo' }
  await owner.ask('PUT', '/api/company', about)
  const open = [{ from: '08:00', to: '18:00' }]
  const holidays = [{ date: '2026-12-25', name: 'segredo', intervals: [] }]
  const hours = { timeZone: 'America/Manaus', week: Array.from({ length: 7 }, () => open), holidays }
  await owner.ask('PUT', '/api/opening-hours', hours)
  await owner.ask('PATCH', '/api/opening-hours/reply', { text: 'segredo fora do horário' })
  const reply = await owner.post<{ id: string }>('/api/quick-replies', { shortcut: 'pix', content: 'segredo do pix' })
  const label = await owner.post<{ id: string }>('/api/labels', { name: 'segredo da etiqueta', colour: 'red' })
  await owner.post(`/api/labels/${label.id}/contacts`, { contactIds: [contact.id], isLabelled: true })
  const folder = await owner.post<{ id: string }>('/api/flow-folders', { name: 'segredo da pasta' })
  const flow = await owner.post<{ id: string }>('/api/flows', { name: 'segredo do fluxo', folderId: folder.id })
  await owner.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
  await owner.ask('PUT', '/api/default-flow', { flowId: flow.id })
  const note = await owner.post<{ id: string }>(`/api/whatsapp/contacts/${contact.id}/notes`, {
    text: 'nota em segredo',
  })
  const copy = await owner.post<{ id: string }>('/api/exports', {})
  const photo = await owner.ask('PUT', '/api/auth/photo', onePixel)
  mine = {
    contactId: contact.id,
    connectionId: connection.id,
    messageId: message.id,
    mediaId: file.id,
    quickReplyId: reply.id,
    labelId: label.id,
    flowId: flow.id,
    flowFolderId: folder.id,
    noteId: note.id,
    exportId: copy.id,
    photoId:
      String((photo.body as { profileImageUrl: string }).profileImageUrl)
        .split('/')
        .at(-1) ?? '',
  }
}, 60_000)
afterAll(() => product?.stop())

/** Attempt of a second tenant on every route; a missing route fails the test below. */
const attempts: Record<string, { body?: () => unknown; expected: number; open?: true }> = {
  'POST /api/auth/register': { expected: 422, body: () => ({}), open: true },
  'POST /api/auth/login': { expected: 422, body: () => ({}), open: true },
  'POST /api/auth/logout': { expected: 200, open: true },
  'POST /api/auth/forgot-password': { expected: 200, body: () => ({ email: 'ninguem@example.com' }), open: true },
  'POST /api/auth/reset-password': {
    expected: 410,
    body: () => ({ token: 'inventado', password: 'uma senha comprida' }),
    open: true,
  },
  'POST /api/auth/confirm-email': { expected: 410, body: () => ({ token: 'inventado' }), open: true },
  'POST /api/auth/send-confirmation': { expected: 200 },
  'POST /kiwify/payment/approved': { expected: 401, body: () => Buffer.from('{}'), open: true },
  'POST /kiwify/payment/refunded': { expected: 401, body: () => Buffer.from('{}'), open: true },
  'GET /api/auth/user': { expected: 200 },
  'PUT /api/auth/photo': { expected: 422, body: () => Buffer.from('MZ, um programa') },
  'DELETE /api/auth/photo': { expected: 200 },
  'GET /api/profile-photos/:id': { expected: 404 },
  'GET /r/:token': { expected: 404, open: true },
  'GET /api/admin/flow-links/:token': { expected: 403 },
  'POST /api/admin/flow-links/:token/block': { expected: 403, body: () => ({ reason: 'curiosidade' }) },
  'POST /api/admin/flow-links/:token/unblock': { expected: 403, body: () => ({ reason: 'curiosidade' }) },
  'GET /api/usage': { expected: 200 },
  'GET /api/dashboard': { expected: 200 },
  'GET /api/whatsapp-contacts': { expected: 200 },
  'GET /api/whatsapp-messages': { expected: 200 },
  'GET /api/automation-projects': { expected: 200 },
  'PUT /api/auth/user': {
    expected: 409,
    body: () => {
      const profile = { firstName: 'Marina', lastName: 'Alves', email: owner.email }
      return { ...profile, currentPassword: stranger.password }
    },
  },
  'POST /api/auth/erase-account': { expected: 422, body: () => ({ password: 'errada' }) },
  'PUT /api/auth/password': {
    expected: 422,
    body: () => ({ currentPassword: 'errada', newPassword: 'outra senha boa' }),
  },
  'GET /api/public/kiwify-plans': { expected: 200, open: true },
  'GET /api/kiwify-plans': { expected: 200 },
  'GET /api/admin/kiwify-plans': { expected: 403 },
  'POST /api/admin/kiwify-plans': { expected: 403, body: () => ({}) },
  'PUT /api/admin/kiwify-plans/:id': { expected: 403, body: () => ({}) },
  'DELETE /api/admin/kiwify-plans/:id': { expected: 403 },
  'GET /api/admin/kiwify-webhooks': { expected: 403 },
  'POST /api/admin/users/:id/update-profile': { expected: 403, body: () => ({ firstName: 'Outra' }) },
  'DELETE /api/admin/users/:id': { expected: 403 },
  'GET /api/admin/summary': { expected: 403 },
  'GET /api/admin/users': { expected: 403 },
  'GET /api/admin/users.csv': { expected: 403 },
  'GET /api/admin/contacts': { expected: 403 },
  'GET /api/admin/contacts.csv': { expected: 403 },
  'GET /api/admin/messages': { expected: 403 },
  'GET /api/admin/messages.csv': { expected: 403 },
  'GET /api/admin/projects': { expected: 403 },
  'POST /api/exports': { expected: 404, body: () => ({ contactId: mine.contactId }) },
  'GET /api/exports/:id': { expected: 404 },
  'POST /api/admin/users/:id/exports': { expected: 403 },
  'GET /api/admin/users/:id/exports/:exportId': { expected: 403 },
  'POST /api/admin/users/:id/extend': { expected: 403 },
  'POST /api/admin/users/:id/status': { expected: 403 },
  'POST /api/admin/users/:id/remove-access': { expected: 403 },
  'POST /api/admin/reading-purposes': { expected: 403, body: () => ({ tenantId: null, purpose: 'support' }) },
  'GET /api/admin/reading-purposes': { expected: 403 },
  'GET /api/admin/history': { expected: 403 },
  'GET /api/admin/history/state': { expected: 403 },
  'GET /api/support/channels': { expected: 200 },
  'POST /api/support/requests': { expected: 422, body: () => ({}) },
  'GET /api/admin/support-requests': { expected: 403 },
  'POST /api/admin/support-requests/:id/answer': { expected: 403 },
  'GET /api/admin/parked-work': { expected: 403 },
  'POST /api/admin/parked-work/:id/retry': { expected: 403 },
  'POST /api/admin/parked-work/:id/release': { expected: 403, body: () => ({ reason: 'curiosidade' }) },
  'GET /api/admin/read-models': { expected: 403 },
  'POST /api/admin/read-models/:name/rebuild': { expected: 403 },
  'GET /api/admin/refused-webhooks': { expected: 403 },
  'POST /api/admin/buyers/erase': { expected: 403, body: () => ({}) },
  'GET /api/admin/webhook-logs': { expected: 403 },
  'GET /api/admin/webhook-logs/:id': { expected: 403 },
  'GET /api/admin/webhook-logs/:id/preview': { expected: 403 },
  'POST /api/admin/webhook-logs/:id/reprocess': { expected: 403, body: () => ({ reason: 'curiosidade' }) },
  'GET /api/kiwify/transactions': { expected: 200 },
  'GET /api/kiwify/transactions/:id/invoice': { expected: 404 },
  'GET /api/kiwify/upgrade': { expected: 200 },
  'GET /api/admin/transactions': { expected: 403 },
  'GET /api/admin/transactions.csv': { expected: 403 },
  'GET /api/admin/transactions/:id/invoice': { expected: 403 },
  'DELETE /api/admin/transactions/:id': { expected: 403, body: () => ({ reason: 'curiosidade' }) },
  'POST /api/admin/transactions/:id/assign': { expected: 403, body: () => ({ email: stranger.email }) },
  'POST /api/admin/transactions/:id/plan': {
    expected: 403,
    body: () => ({ planId: '1b2c4d3e-0000-4000-8000-0123456789ab', reason: 'curiosidade' }),
  },
  'GET /api/whatsapp/connections': { expected: 200 },
  'POST /api/whatsapp/connections': { expected: 422, body: () => ({ name: '' }) },
  'POST /api/whatsapp/connections/:id/refresh': { expected: 404 },
  'POST /api/whatsapp/connections/:id/disconnect': { expected: 404 },
  'DELETE /api/whatsapp/connections/:id': { expected: 404 },
  'GET /api/whatsapp/contacts': { expected: 200 },
  'GET /api/whatsapp/contact-counts': { expected: 200 },
  'GET /api/whatsapp/longest-waiting': { expected: 200 },
  'GET /api/whatsapp/contacts/:id': { expected: 404 },
  'DELETE /api/whatsapp/contacts/:id': { expected: 404 },
  'PUT /api/whatsapp/contacts/:id/name': { expected: 404, body: () => ({ name: 'Minha' }) },
  'GET /api/whatsapp/contacts/:id/notes': { expected: 404 },
  'POST /api/whatsapp/contacts/:id/notes': { expected: 404, body: () => ({ text: 'Eu também' }) },
  'DELETE /api/whatsapp/contacts/:id/notes/:noteId': { expected: 404 },
  'GET /api/whatsapp/contacts/:id/messages': { expected: 404 },
  'POST /api/whatsapp/contacts': { expected: 422, body: () => ({ phone: '123' }) },
  'PATCH /api/whatsapp/contacts/:id/status': { expected: 404, body: () => ({ status: 'attending' }) },
  'POST /api/whatsapp/contacts/:id/reopen': { expected: 404 },
  'POST /api/whatsapp/contacts/:id/seen': { expected: 404 },
  'POST /api/whatsapp/connections/:id/pairing-code': { expected: 404, body: () => ({ phone: '11900000001' }) },
  'GET /api/whatsapp/networks': { expected: 200 },
  'GET /api/whatsapp/quick-sessions': { expected: 200 },
  'POST /api/whatsapp/quick-session': { expected: 422, body: () => ({ name: '' }) },
  'DELETE /api/whatsapp/quick-session/:id': { expected: 404 },
  'GET /api/whatsapp/sessions': { expected: 200 },
  'POST /api/whatsapp/create-session': { expected: 422, body: () => ({ name: '' }) },
  'DELETE /api/whatsapp/session/:token': { expected: 404 },
  'GET /api/whatsapp/qr/:token': { expected: 404 },
  'GET /api/whatsapp/search': { expected: 200 },
  'POST /api/whatsapp/contacts/:id/not-a-robot': { expected: 404 },
  'POST /api/whatsapp/contacts/:id/line': { expected: 404, body: () => ({ connectionId: mine.connectionId }) },
  'POST /api/whatsapp/contacts/:id/separate': { expected: 404, body: () => ({ contactId: mine.contactId }) },
  'POST /api/whatsapp/contacts/:id/messages/:messageId/reaction': {
    expected: 404,
    body: () => ({ connectionId: mine.connectionId, emoji: '👍' }),
  },
  'PATCH /api/whatsapp/contacts/:id/messages/:messageId': { expected: 404, body: () => ({ message: 'oi' }) },
  'DELETE /api/whatsapp/contacts/:id/messages/:messageId': { expected: 404 },
  'POST /api/whatsapp/media': { expected: 422, body: () => Buffer.alloc(0) },
  'GET /api/whatsapp/media/:id': { expected: 404 },
  'POST /api/whatsapp/media/:id/retry': { expected: 404 },
  'GET /api/quick-replies': { expected: 200 },
  'POST /api/quick-replies': { expected: 422, body: () => ({ shortcut: '', content: '' }) },
  'PATCH /api/quick-replies/:id': { expected: 404, body: () => ({ isActive: false }) },
  'DELETE /api/quick-replies/:id': { expected: 404 },
  'GET /api/company': { expected: 200 },
  'PUT /api/company': { expected: 422, body: () => ({ name: '' }) },
  'PATCH /api/company/choices': { expected: 200, body: () => ({}) },
  'GET /api/opening-hours': { expected: 200 },
  'PUT /api/opening-hours': { expected: 422, body: () => ({ timeZone: 'America/Sao_Paulo', week: [] }) },
  'PATCH /api/opening-hours/reply': { expected: 409, body: () => ({ isOn: true }) },
  'GET /api/labels': { expected: 200 },
  'POST /api/labels': { expected: 422, body: () => ({ name: '', colour: 'red' }) },
  'PATCH /api/labels/:id': { expected: 404, body: () => ({ name: 'meu' }) },
  'DELETE /api/labels/:id': { expected: 404 },
  'POST /api/labels/:id/contacts': {
    expected: 404,
    body: () => ({ contactIds: [mine.contactId], isLabelled: true }),
  },
  'GET /api/flow-statistics': { expected: 200 },
  'GET /api/flows/:id/statistics': { expected: 404 },
  'GET /api/flows/:id/runs': { expected: 404 },
  'GET /api/flow-runs/:id': { expected: 404 },
  'GET /api/flow-folders': { expected: 200 },
  'POST /api/flow-folders': { expected: 422, body: () => ({ name: '' }) },
  'PATCH /api/flow-folders/:id': { expected: 404, body: () => ({ name: 'minha' }) },
  'POST /api/flow-folders/:id/duplicate': { expected: 404 },
  'DELETE /api/flow-folders/:id': { expected: 404 },
  'GET /api/flows': { expected: 200 },
  'POST /api/flows': { expected: 404, body: () => ({ name: 'meu', folderId: mine.flowFolderId }) },
  'GET /api/flows/:id': { expected: 404 },
  'PATCH /api/flows/:id': { expected: 404, body: () => ({ name: 'meu' }) },
  'POST /api/flows/:id/duplicate': { expected: 404 },
  'DELETE /api/flows/:id': { expected: 404 },
  'PUT /api/flows/:id/draft': { expected: 404, body: () => ({ document: starterFlow(), basedOn: 0 }) },
  'POST /api/flows/:id/publish': { expected: 404, body: () => ({ basedOn: 0 }) },
  'PUT /api/flows/:id/on': { expected: 404, body: () => ({ isOn: false }) },
  'POST /api/flows/check': { expected: 200, body: () => ({ document: starterFlow() }) },
  'GET /api/flows/:id/versions': { expected: 404 },
  'GET /api/flows/:id/versions/:version': { expected: 404 },
  'POST /api/flows/:id/versions/:version/restore': { expected: 404, body: () => ({ basedOn: 0 }) },
  'GET /api/flows/:id/file': { expected: 404 },
  'GET /api/default-flow': { expected: 200 },
  'PUT /api/default-flow': { expected: 404, body: () => ({ flowId: mine.flowId }) },
  'POST /api/flows/:id/test': { expected: 404, body: () => ({ document: starterFlow(), inputs: [], contact: {} }) },
  'POST /api/flows/:id/replay': { expected: 404, body: () => ({ document: starterFlow() }) },
  'POST /api/flow-runs/:id/stop': { expected: 404 },
  'POST /api/whatsapp/send-message': {
    expected: 404,
    body: () => ({ connectionId: mine.connectionId, contactId: mine.contactId, message: 'oi' }),
  },
}

const name = ({ method, url }: Route) => `${method} ${url}`
const idIn = (url: string) => {
  if (/connections|session/.test(url)) return mine.connectionId
  if (url.includes('/media/')) return mine.mediaId
  if (url.startsWith('/api/exports/')) return mine.exportId
  if (url.includes('/profile-photos/')) return mine.photoId
  if (url.includes('/labels/')) return mine.labelId
  if (url.includes('/flow-folders/')) return mine.flowFolderId
  if (url.includes('/flows/')) return mine.flowId
  return url.includes('/quick-replies/') ? mine.quickReplyId : mine.contactId
}
const pathOf = (url: string) =>
  url
    .replace(/:(id|token)/, idIn(url))
    .replace(':messageId', mine.messageId)
    .replace(':noteId', mine.noteId)
    .replace(':exportId', mine.exportId)
    .replace(':version', '1')
    .replace(/search$/, 'search?q=segredo')
const apiRoutes = () =>
  product.routes.filter(({ method, url }) => /^\/(kiwify|api|r)\/(?!docs)/.test(url) && method !== 'HEAD')

describe('a second tenant', () => {
  it('is tried on every route of the product', () => {
    expect([...new Set(apiRoutes().map(name))].sort()).toEqual(Object.keys(attempts).sort())
  })

  it('is refused on every route that names something of the first, and shown nothing of it', async () => {
    for (const route of apiRoutes().filter((each) => name(each) !== 'POST /api/auth/logout')) {
      const attempt = attempts[name(route)]
      const reply = await stranger.ask(route.method, pathOf(route.url), attempt?.body?.())
      expect([name(route), reply.status]).toEqual([name(route), attempt?.expected])
      const text = JSON.stringify(reply.body)
      for (const secret of ['segredo', '5511988776655', 'Padaria', owner.email, ...Object.values(mine)])
        expect([name(route), text.includes(secret)]).toEqual([name(route), false])
    }
    expect((await owner.contacts('waiting')).map(({ id }) => id)).toEqual([mine.contactId])
    expect((await owner.connections())[0]?.status).toBe('connected')
  })

  it('puts no label of its own on a contact of the first, and finds nobody by a label of the first', async () => {
    const label = await stranger.post<{ id: string }>('/api/labels', { name: 'Minha', colour: 'blue' })
    const body = { contactIds: [mine.contactId], isLabelled: true }
    const { refused } = await stranger.post<{ refused: unknown[] }>(`/api/labels/${label.id}/contacts`, body)
    expect(refused).toMatchObject([{ contactId: mine.contactId, type: 'contact_not_found' }])
    expect(await stranger.get(`/api/whatsapp/contacts?label=${mine.labelId}`)).toEqual([])
    expect((await owner.contacts('waiting'))[0]?.labels).toEqual([mine.labelId])
  })

  it('cannot search in a conversation of the first', async () => {
    const inside = `/api/whatsapp/search?q=segredo&contactId=${mine.contactId}`
    expect((await owner.get<unknown[]>(inside)).length).toBeGreaterThan(0)
    const { status, body } = await stranger.ask('GET', inside)
    expect([status, body]).toMatchObject([404, { type: 'contact_not_found' }])
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
    expect(await owner.get(`/api/whatsapp/contact-counts?connectionId=${connectionId}`)).toMatchObject({ waiting: 1 })
    expect(await owner.get<unknown[]>(`/api/whatsapp/search?q=segredo&connectionId=${connectionId}`)).toHaveLength(1)
  })

  it('cannot send a file of the first to a contact of its own', async () => {
    const [connection] = await stranger.connections()
    const { id: contactId } = await stranger.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511988776655' })
    const body = { connectionId: connection?.id, contactId, media: { id: mine.mediaId, as: 'document' } }
    expect((await stranger.ask('POST', '/api/whatsapp/send-message', body)).status).toBe(404)
  })

  it('is refused everywhere without having signed in', async () => {
    const visitor = product.visitor()
    for (const route of apiRoutes()) {
      const attempt = attempts[name(route)]
      const reply = await visitor.ask(route.method, pathOf(route.url), attempt?.body?.())
      expect([name(route), reply.status]).toEqual([name(route), attempt?.open ? attempt.expected : 401])
    }
  })

  it('is in no room of the first and receives nothing of it', async () => {
    const [own, foreign] = [owner.socket(), stranger.socket()]
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
