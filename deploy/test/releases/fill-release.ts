import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { until } from '@prosa/kernel/testing/until'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import { runDemo } from '@prosa/sandbox/demo/run-demo'
import { ControlClient } from '@prosa/sandbox/load/control-client'
import { ProductClient } from '@prosa/sandbox/load/product-client'
import type { Pool } from 'pg'
import { pictureOf } from '../pictures.ts'
import { Visitor } from '../visitor.ts'

export const kiwifyTokens = { approved: 'approved', refunded: 'refunded' }

export interface People {
  padaria: Visitor
  oficina: Visitor
  antiga: Visitor
  admin: Visitor
  analyst: Visitor
}

/** Undefined if the release does not have this route. */
const attempt = async <T>(visitor: Visitor, method: string, path: string, body?: unknown): Promise<T | undefined> => {
  const reply = await visitor.ask<T>(method, path, body)
  if (reply.status < 300) return reply.body
  if (reply.status === 404 || reply.status === 405) return undefined
  throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
}

const clientOf = async ({ url, email, password }: Visitor): Promise<ProductClient> => {
  const client = new ProductClient(url)
  await client.logIn(email, password)
  return client
}

const at = (url: string, person: Visitor) => Object.assign(person, { url })

export const fillThePast = async (url: string): Promise<Pick<People, 'antiga' | 'admin' | 'analyst'>> => {
  const antiga = await new Visitor(url).register()
  const [admin, analyst] = [await new Visitor(url).register(), await new Visitor(url).register()]
  await antiga.post('/api/quick-replies', { shortcut: 'oi', content: 'Bom dia, {nome}!' })
  return { antiga, admin, analyst }
}

export const fillThePresent = async (
  url: string,
  { antiga, admin, analyst }: Pick<People, 'antiga' | 'admin' | 'analyst'>,
  { pool, secret }: { pool: Pool; secret: Buffer },
): Promise<{ people: People; known: Record<string, string[]> }> => {
  for (const person of [antiga, admin, analyst]) await at(url, person).post('/api/auth/login', credentials(person))
  const padaria = await new Visitor(url).register()
  const oficina = await new Visitor(url).register()
  const people = { padaria, oficina, antiga, admin, analyst }
  const phones = new ControlClient(`${url}/api/simulador`)
  await fillSettings(people)
  const product = await clientOf(padaria)
  await runDemo({ product, phones, now: Date.now(), progress: (sentence) => process.stdout.write(`  ${sentence}\n`) })
  const exports = await fillContacts(padaria, phones)
  await fillAdministration(people, secret)
  await fillFlows(padaria, phones)
  await eraseSome(padaria, phones, url)
  await fillGarage(people, phones, pool)
  await writeWhileAway(padaria, phones)
  return { people, known: { '/api/exports': exports } }
}

const credentials = ({ email, password }: Visitor) => ({ email, password })

const week = () => Array.from({ length: 7 }, () => [{ from: '08:00', to: '18:00' }])
const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const fillSettings = async ({ padaria, oficina }: People): Promise<void> => {
  const shop = { name: 'Padaria Sol', email: 'sol@example.com', phone: '', website: '', address: 'Rua do Pão, 1' }
  await attempt(padaria, 'PUT', '/api/company', shop)
  const holidays = [{ date: '2026-12-25', name: 'Natal', intervals: [] }]
  await attempt(padaria, 'PUT', '/api/opening-hours', { timeZone: 'America/Sao_Paulo', week: week(), holidays })
  await attempt(padaria, 'PATCH', '/api/opening-hours/reply', { text: 'Abrimos às oito.' })
  await attempt(padaria, 'PUT', '/api/auth/photo', onePixel)
  await attempt(padaria, 'POST', '/api/support/requests', { subject: 'Dúvida', message: 'Como ligo outro número?' })
  const webhook = { name: 'Planilha', address: 'http://127.0.0.1:9/prosa', withPersonal: true }
  await attempt(padaria, 'POST', '/api/webhooks', { ...webhook, types: ['prosa.contacts.message-received.v1'] })
  const sent = await attempt<{ confirmationLink?: string }>(oficina, 'POST', '/api/auth/send-confirmation')
  const token = sent?.confirmationLink && new URL(sent.confirmationLink).searchParams.get('token')
  if (token) await attempt(oficina, 'POST', '/api/auth/confirm-email', { token })
}

const contactsOf = async (visitor: Visitor): Promise<Contact[]> =>
  (await Promise.all((['waiting', 'attending', 'resolved'] as const).map((status) => visitor.contacts(status)))).flat()

const contactWhere = (visitor: Visitor, isIt: (contact: Contact) => boolean) =>
  until(async () => (await contactsOf(visitor)).find(isIt))

const shopOf = async (visitor: Visitor, phones: ControlClient) => {
  const connection = await until(async () => (await visitor.connections()).find(({ status }) => status === 'connected'))
  const number = connection.phoneNumber?.replace(/\D/g, '') ?? ''
  const phone = (await phones.phones()).find((each) => each.number === number)
  if (!phone) throw new Error('the shop has a simulated phone')
  return { connection, number, phone }
}

/** Returns the ids of requested exports. */
const fillContacts = async (padaria: Visitor, phones: ControlClient): Promise<string[]> => {
  const { connection, number } = await shopOf(padaria, phones)
  const ana = await phones.phone('5511988776655', 'Ana Beatriz')
  await phones.write(ana.id, number, { text: 'Vocês têm bolo de cenoura?' })
  const withAna = await contactWhere(padaria, ({ phone }) => phone?.replace(/\D/g, '') === ana.number)
  const contact = `/api/whatsapp/contacts/${withAna.id}`
  await attempt(padaria, 'POST', `${contact}/notes`, { text: 'Prefere receber à tarde' })
  await attempt(padaria, 'PUT', `${contact}/name`, { name: 'Ana do bolo' })
  const label = await attempt<{ id: string }>(padaria, 'POST', '/api/labels', { name: 'Encomenda', colour: 'green' })
  if (label) await padaria.post(`/api/labels/${label.id}/contacts`, { contactIds: [withAna.id], isLabelled: true })
  await padaria.ask('PATCH', `${contact}/status`, { status: 'attending' })
  const upload = await padaria.post<{ id: string }>('/api/whatsapp/media', pictureOf('cardápio'))
  const media = { id: upload.id, as: 'image' }
  await padaria.post('/api/whatsapp/send-message', {
    connectionId: connection.id,
    contactId: withAna.id,
    message: 'Nosso cardápio',
    media,
  })
  const file = Buffer.from('orçamento em texto, de mentira')
  const about = { kind: 'document', mediaType: 'text/plain', fileName: 'orçamento da festa.txt' } as const
  await phones.sendFile(ana.id, number, file, { ...about, caption: 'como na festa' })
  const { id } = await padaria.send(connection.id, withAna.id, 'Sai às quatro')
  await until(async () =>
    (await padaria.messages(withAna.id)).find((each) => each.id === id && each.status !== 'queued'),
  )
  await attempt(padaria, 'PATCH', `${contact}/messages/${id}`, { message: 'Sai às cinco' })
  const davi = await phones.phone('5511988776633', 'Davi')
  const added = await attempt<{ id: string }>(padaria, 'POST', '/api/whatsapp/contacts', { phone: davi.number })
  if (added) await attempt(padaria, 'POST', `/api/whatsapp/contacts/${added.id}/line`, { connectionId: connection.id })
  const copies = [
    await attempt<{ id: string }>(padaria, 'POST', '/api/exports', { contactId: withAna.id }),
    await attempt<{ id: string }>(padaria, 'POST', '/api/exports', {}),
  ]
  // A number that is known first and later writes without it (LID).
  await padaria.ask('POST', '/api/whatsapp/contacts', { phone: '5511977665544' })
  const hidden = await hiddenPhone(phones, '5511977665544', 'Otávio')
  await phones.write(hidden, number, { text: 'Sou eu, o Otávio' })
  await contactWhere(padaria, ({ lastMessage }) => lastMessage?.content === 'Sou eu, o Otávio')
  const empty = await padaria.post<{ id: string }>('/api/whatsapp/connections', { name: 'Entregas' })
  await padaria.post(`/api/whatsapp/connections/${empty.id}/disconnect`)
  return copies.flatMap((copy) => (copy ? [copy.id] : []))
}

const hiddenPhone = async (phones: ControlClient, number: string, name: string): Promise<string> => {
  const reply = await fetch(`${phones.root}/phones`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number, name, hidesNumber: true }),
  })
  const { id } = (await reply.json()) as { id: string }
  return id
}

const sample = new URL('../../../services/billing/src/kiwify/samples/order-approved-card.json', import.meta.url)

const report = async (url: string, to: 'approved' | 'refunded', order: object): Promise<void> => {
  const body = JSON.stringify(order)
  const signature = createHmac('sha1', kiwifyTokens[to]).update(body).digest('hex')
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/kiwify/payment/${to}?signature=${signature}`, { method: 'POST', headers, body })
  if (![200, 404].includes(reply.status)) throw new Error(`a report was answered ${reply.status}`)
}

const fillAdministration = async ({ oficina, analyst: extended, admin }: People, secret: Buffer): Promise<void> => {
  const order = JSON.parse(await readFile(sample, 'utf8'))
  const plan = {
    planId: 'mensal',
    planName: 'Plano Mensal',
    productId: order.Product?.product_id ?? 'produto',
    productName: 'Prosa Mensal',
    accessDays: 30,
    price: 'R$ 99',
    description: 'Para uma loja',
    purchaseUrl: 'https://pay.example.com/mensal',
  }
  await attempt(admin, 'POST', '/api/admin/kiwify-plans', plan)
  const { id } = await oficina.get<{ id: string }>('/api/auth/user')
  const own = { ...order, order_id: `order-of-${id}`, order_ref: 'PROSA01', subscription_id: `subscription-of-${id}` }
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await report(oficina.url, 'approved', {
    ...own,
    approved_date: null,
    TrackingParameters: { sck: purchaseTokenOf(secretBox(secret), id) },
    Subscription: { customer_access: { access_until: until } },
  })
  await report(oficina.url, 'approved', { ...order, order_id: 'of-nobody', order_ref: 'PROSA02', approved_date: null })
  await report(oficina.url, 'refunded', { order_status: 'refunded' })
  const given = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const { id: old } = await extended.get<{ id: string }>('/api/auth/user')
  const more = { subscriptionEnd: given, subscriptionStatus: 'active', reason: 'Pediu mais cinco dias' }
  await attempt(admin, 'POST', `/api/admin/users/${old}/extend`, more)
}

const fillFlows = async (padaria: Visitor, phones: ControlClient): Promise<void> => {
  const folder = await attempt<{ id: string }>(padaria, 'POST', '/api/flow-folders', { name: 'Atendimento' })
  if (!folder) return
  const { number } = await shopOf(padaria, phones)
  const flow = await padaria.post<{ id: string }>('/api/flows', { name: 'Boas-vindas', folderId: folder.id })
  await padaria.post('/api/flows', { name: 'Rascunho' })
  const document = starterFlow()
  await padaria.ask('PUT', `/api/flows/${flow.id}/draft`, { document, basedOn: 0 })
  const { revision } = await padaria.get<{ revision: number }>(`/api/flows/${flow.id}`)
  await padaria.post(`/api/flows/${flow.id}/publish`, { basedOn: revision })
  await padaria.ask('PUT', '/api/default-flow', { flowId: flow.id })
  const rita = await phones.phone('5511955443322', 'Rita')
  await phones.write(rita.id, number, { text: 'oi' })
  await contactWhere(padaria, ({ phone }) => phone?.replace(/\D/g, '') === rita.number)
  await until(async () => (await padaria.get<unknown[]>(`/api/flows/${flow.id}/runs`)).length > 0)
}

const eraseSome = async (padaria: Visitor, phones: ControlClient, url: string): Promise<void> => {
  const { number } = await shopOf(padaria, phones)
  const leo = await phones.phone('5511944332211', 'Léo')
  await phones.write(leo.id, number, { text: 'Apaguem tudo, por favor' })
  const { id } = await contactWhere(padaria, ({ phone }) => phone?.replace(/\D/g, '') === leo.number)
  await attempt(padaria, 'DELETE', `/api/whatsapp/contacts/${id}`)
  const gone = await new Visitor(url).register()
  await gone.post('/api/quick-replies', { shortcut: 'pix', content: 'A chave' })
  await attempt(gone, 'POST', '/api/auth/erase-account', { password: gone.password })
}

/** A tenant whose rows PostgreSQL refuses from some message on: its work is parked. */
const fillGarage = async ({ oficina, admin }: People, phones: ControlClient, pool: Pool): Promise<void> => {
  const garage = await phones.phone('5511900000002', 'Oficina')
  const dora = await phones.phone('5511988776658', 'Dora')
  const networks = await oficina.get<string[]>('/api/whatsapp/networks')
  const network = networks.includes('simulator') ? 'simulator' : undefined
  await oficina.link({ scan: (qr) => phones.scan(garage.id, qr) }, 'Oficina', network)
  await phones.write(dora.id, garage.number, { text: 'O carro está pronto?' })
  const withDora = await until(async () => (await oficina.contacts('waiting'))[0])
  await until(async () => (await oficina.messages(withDora.id)).length === 1)
  await pool.query(`alter table chat_message add constraint poison check (content::text !~ 'veneno') not valid`)
  await phones.write(dora.id, garage.number, { text: 'veneno' })
  // Earlier releases did not park read models but stopped until the row could be stored.
  const isParked = await until(
    async () => (await admin.get<unknown[]>('/api/admin/parked-work')).length > 0,
    10_000,
  ).catch(() => false)
  await phones.write(dora.id, garage.number, { text: 'depois' })
  if (!isParked) await pool.query('alter table chat_message drop constraint poison')
}

/** Messages wait while the phones are away, if the release has an outbox. */
const writeWhileAway = async (padaria: Visitor, phones: ControlClient): Promise<void> => {
  const { connection } = await shopOf(padaria, phones)
  const [contact] = await padaria.contacts('waiting')
  await fetch(`${phones.root}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'restart', awayMs: 30_000 }),
  })
  const isUp = async () => (await padaria.connections()).find(({ id }) => id === connection.id)?.status === 'connected'
  await until(async () => !(await isUp()))
  if (contact)
    await padaria.ask('POST', '/api/whatsapp/send-message', {
      connectionId: connection.id,
      contactId: contact.id,
      message: 'Já respondo',
    })
}
