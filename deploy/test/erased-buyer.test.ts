import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebhookLog } from '@prosa/contracts/http/accounts/webhook-logs'
import { type Category, categories } from '@prosa/contracts/streams'
import { later } from '@prosa/kernel/clock'
import { beginning } from '@prosa/kernel/event-store/port'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { createLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import { unzip } from '@prosa/projections/testing/unzip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from './give-role.ts'
import { type Product, startProduct } from './product.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { dumpOf, filesOf, tracesOf } from './traces.ts'
import type { Visitor } from './visitor.ts'

const email = 'bia.comprou@planta-correio.example'
const person = { firstName: 'Bia-Plantada', lastName: 'Comprou-Plantada', email, password: 'uma senha comprida' }
const sampleFile = new URL('../../services/billing/src/kiwify/samples/order-approved-card.json', import.meta.url)

const orderKinds = {
  order_approved: 'paid',
  order_rejected: 'refused',
  order_refunded: 'refunded',
  chargeback: 'chargedback',
  subscription_renewed: 'paid',
  subscription_late: 'refused',
  subscription_canceled: 'paid',
  pix_created: 'waiting_payment',
  billet_created: 'waiting_payment',
} as const

let database: TestPostgres
let product: Product
let admin: Visitor
let tokenOfOther: string
let buyer: Visitor
let buyerId: string
let folder: string
let sample: Record<string, unknown>
let logged = ''
const log = createLog('trace', {
  write(line) {
    logged += line
  },
})

beforeAll(async () => {
  database = await testPostgres()
  folder = await mkdtemp(join(tmpdir(), 'prosa-buyer-'))
  sample = JSON.parse(await readFile(sampleFile, 'utf8'))
  product = await startProduct({ database, secret: randomBytes(32), log, files: diskFileStore(folder) })
  admin = await product.visitor().register()
  await makeAdmin(product, admin)
  const other = await product.visitor().register()
  const { id } = await other.get<{ id: string }>('/api/auth/user')
  tokenOfOther = purchaseTokenOf(product.ports.box, id)
}, 60_000)
afterAll(async () => {
  await product?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const planted: string[] = [person.firstName, person.lastName, email]
let sown = 0
const plant = (what: string) => {
  const words = `planta-${what}-${++sown}`
  planted.push(words)
  return words
}
/** Eleven digits, as of a phone or CPF: shorter ones occur in ids by chance. */
const digits = () => {
  const text = String(31_927_584_617 + ++sown * 98_765_437)
  planted.push(text)
  return text
}

const customer = () => ({
  full_name: `Bia ${plant('nome')}`,
  first_name: plant('primeiro'),
  email: sown % 2 === 0 ? email : ` ${email.toUpperCase()} `,
  mobile: `+55${digits()}`,
  CPF: digits(),
  ip: `2001:db8::${plant('ip')}`,
  instagram: plant('instagram'),
  street: plant('rua'),
  zipcode: plant('cep'),
  custom_fields: [{ id: 'x', value: plant('campo') }],
})
const orderBody = (kind: string, orderId: string, more: { Customer?: object; [field: string]: unknown } = {}) => ({
  ...sample,
  order_id: orderId,
  order_ref: orderId.slice(-7),
  order_status: orderKinds[kind as keyof typeof orderKinds] ?? 'paid',
  webhook_event_type: kind,
  subscription_id: `assinatura-${orderId}`,
  TrackingParameters: {},
  ...more,
  Customer: more.Customer ?? customer(),
})
const cart = () => {
  const { full_name: name, mobile: phone, CPF: cpf, ...rest } = customer()
  return {
    ...rest,
    id: `cart${++sown}`,
    name,
    phone,
    cpf,
    email,
    status: 'abandoned',
    created_at: '2026-06-08T14:53:19.679Z',
  }
}

const everyDelivery = (turn: string, token: string): string[] => {
  const kinds = Object.keys(orderKinds)
  const bodies: unknown[] = [
    ...kinds.map((kind) => orderBody(kind, `pedido-${turn}-${kind}`)),
    ...kinds.toReversed().map((kind) => orderBody(kind, `pedido-${turn}`)),
    orderBody('order_approved', `link-${turn}`, {
      Customer: { ...customer(), email: null },
      TrackingParameters: { sck: token },
    }),
    orderBody('order_approved', `outro-${turn}`, {
      Customer: { ...customer(), email: `${plant('outro')}@planta-correio.example` },
      TrackingParameters: { s1: token },
    }),
    // A gift: the link of another account.
    orderBody('order_approved', `presente-${turn}`, { TrackingParameters: { sck: tokenOfOther } }),
    cart(),
    [cart(), cart()],
    { signature: 'x', order: orderBody('order_approved', `embrulho-${turn}`) },
    orderBody('order_dreamt', `sonho-${turn}`),
    orderBody('order_approved', `pedido ilegível ${turn}`),
    orderBody('order_approved', `centavos-${turn}`, { Commissions: { charge_amount: 97.5 } }),
  ]
  const texts = bodies.map((body) => JSON.stringify(body))
  const cut = JSON.stringify({ Customer: customer() })
  return [...texts, cut.slice(0, -4), JSON.stringify(cart(), null, 2)]
}

const deliver = async (body: string) => {
  const signature = createHmac('sha1', 'approved').update(body).digest('hex')
  const url = `${product.url}/kiwify/payment/approved?signature=${signature}`
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(reply.status).toBe(200)
}
const deliverAll = async (bodies: readonly string[]) => {
  for (const body of bodies) await deliver(body)
  for (const [index, body] of bodies.toReversed().entries()) await deliver(index % 2 === 0 ? body : `${body}\n`)
}

const logs = async () => {
  const found: WebhookLog[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: WebhookLog[]; nextCursor: string | null } = await admin.get(
      `/api/admin/webhook-logs${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    found.push(...page.items)
    cursor = page.nextCursor
  }
  return found
}
const isSettled = async () => {
  const all = await logs()
  return all.length > 0 && all.every(({ status }) => status !== 'processing') && all
}

const decodedLog = async () => {
  const events: unknown[] = []
  const every = Object.keys(categories) as Category[]
  for await (const { events: page } of product.ports.store.readAll(beginning, { categories: every }))
    events.push(...(await product.ports.codec.decode(page)).map(({ data, metadata }) => [data, metadata.reason]))
  // Bodies are base64 in the log.
  return JSON.stringify(events)
}

const everythingShown = async (): Promise<Map<string, string>> => {
  const shown = new Map<string, string>()
  const look = async (path: string, sent?: object) => {
    const { status, body } = await admin.ask(sent ? 'POST' : 'GET', path, sent)
    shown.set(path, `${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`)
  }
  const details = (await logs()).map(({ id }) => `/api/admin/webhook-logs/${id}`)
  for (const path of details) await look(path)
  for (const path of details.slice(0, 8)) await look(`${path}/preview`)
  for (const list of ['users', 'users.csv', 'transactions', 'transactions.csv', 'contacts', 'contacts.csv'])
    await look(`/api/admin/${list}`)
  for (const list of ['messages', 'messages.csv', 'projects', 'support-requests', 'parked-work', 'summary'])
    await look(`/api/admin/${list}`)
  for (const list of ['webhook-logs', 'refused-webhooks', 'kiwify-webhooks', 'read-models', 'reading-purposes'])
    await look(`/api/admin/${list}`)
  await look('/api/admin/users/search', { search: email })
  await look('/api/admin/transactions/search', { search: 'planta' })
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/api/admin/history${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`
    const page: { nextCursor: string | null } = await admin.get(path)
    shown.set(path, JSON.stringify(page))
    cursor = page.nextCursor
  }
  await look(`/api/admin/history?record=user:${buyerId}`)
  await look(`/api/admin/records/access/${buyerId}?em=${new Date().toISOString()}`)
  const { items } = await admin.get<{ items: { id: string }[] }>('/api/admin/transactions')
  for (const { id } of items) {
    await look(`/api/admin/transactions/${id}/invoice`)
    await look(`/api/admin/records/order/${id}?em=${new Date().toISOString()}`)
  }
  for (const visitor of [admin, buyer]) {
    const path = visitor === admin ? `/api/admin/users/${buyerId}/exports` : '/api/exports'
    const asked = await visitor.ask<{ id: string }>('POST', path, {})
    if (asked.status !== 201) continue
    const files = await unzip(Buffer.from(await visitor.bytes(`${path}/${asked.body.id}`)))
    shown.set(path, [...files.values()].map(String).join('\n'))
  }
  shown.set('/metrics', await (await fetch(`${product.url}/metrics`)).text())
  return shown
}
const storedFiles = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
}

const hits = async (): Promise<[string, string[]][]> => {
  const places = new Map<string, string | Buffer>(await dumpOf(database.pool))
  for (const [path, text] of await everythingShown()) places.set(path, text)
  places.set('the log, decoded', await decodedLog())
  places.set('files', await storedFiles())
  places.set('what processes log', logged)
  const found: [string, string[]][] = []
  for (const [place, text] of places) {
    const traces = tracesOf(planted, text)
    if (traces.length > 0) found.push([place, traces])
  }
  return found
}

/** The erasure is complete once the log is unreadable; on a timeout the assertions show what remains. */
const untilForgotten = () =>
  until(async () => tracesOf(planted, await decodedLog()).length === 0, 30_000).catch(() => undefined)

describe('a buyer who was erased', () => {
  let before: string[]
  let token: string

  it('is in the log, in lists and in copies before, with every delivery', async () => {
    await deliver(JSON.stringify(orderBody('order_approved', 'pedido-anterior')))
    await deliver(JSON.stringify(cart()))
    buyer = product.visitor()
    buyerId = (await buyer.post<{ id: string }>('/api/auth/register', person)).id
    const { confirmationLink } = await buyer.post<{ confirmationLink: string }>('/api/auth/send-confirmation')
    const link = new URL(confirmationLink).searchParams.get('token')
    await buyer.post('/api/auth/confirm-email', { token: link })
    token = purchaseTokenOf(product.ports.box, buyerId)
    before = everyDelivery('antes', token)
    await deliverAll(before)
    await buyer.post('/api/support/requests', { subject: plant('assunto'), message: plant('mensagem') })
    await buyer.post('/api/flows', { name: plant('fluxo') })
    const settled = await until(isSettled, 30_000)
    await admin.post(`/api/admin/webhook-logs/${settled[0]?.id}/reprocess`, { reason: plant('motivo') })
    await admin.post(`/api/admin/users/${buyerId}/extend`, {
      subscriptionEnd: later(new Date().toISOString(), 90 * 24 * 3600 * 1000),
      subscriptionStatus: 'active',
      reason: plant('estender'),
    })
    const details = plant('detalhe')
    await admin.post('/api/admin/reading-purposes', { tenantId: buyerId, purpose: 'other', details })
    await until(isSettled, 30_000)
    const found = await hits()
    const read = new Map(found)
    const inLog = read.get('the log, decoded') ?? []
    expect(planted.filter((words) => !inLog.includes(words))).toEqual([])
    expect(read.get('/api/admin/transactions.csv')).toContain(email)
    expect(read.get(`/api/admin/users/${buyerId}/exports`)?.length).toBeGreaterThan(20)
    expect(read.get('es.event') ?? []).toEqual([])
  }, 120_000)

  it('leaves 0 planted strings in rows, routes, copies, files and logs', async () => {
    const erased = await admin.ask('DELETE', `/api/admin/users/${buyerId}`, { reason: 'Pediu por carta' })
    expect(erased.status).toBe(200)
    await until(isSettled, 30_000)
    await untilForgotten()
    expect(await hits()).toEqual([])
  }, 120_000)

  it('leaves none of what comes afterwards, the same again and new ones, of orders known and unknown', async () => {
    await deliverAll(before)
    await deliverAll(everyDelivery('depois', token))
    await until(isSettled, 30_000)
    await untilForgotten()
    expect(await hits()).toEqual([])
    await until(async () => tracesOf(planted, await filesOf(database.pool)).length === 0, 50_000)
    expect(await readModelsAgainstLog(product.ports, database.pool)).toEqual([])
  }, 180_000)

  it('stays erased when an administrator has a delivery processed again', async () => {
    for (const { id } of (await logs()).slice(0, 10))
      expect([202, 409]).toContain((await admin.ask('POST', `/api/admin/webhook-logs/${id}/reprocess`, {})).status)
    await until(isSettled, 30_000)
    expect(await hits()).toEqual([])
  }, 60_000)
})
