import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import type { HistoryThread } from '@prosa/contracts/http/history'
import type { Page } from '@prosa/contracts/http/page'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { findThreads, type ThreadsAsked } from './queries.ts'

const [ana, root] = [idOf('ana'), idOf('administrator')]
const [order, delivery, refundDelivery] = ['order-1', 'delivery-1', 'delivery-2']
const kiwify: Actor = { kind: 'webhook', id: 'kiwify' }
const reactor: Actor = { kind: 'system', id: 'settle-on-order-reported' }
const timer: Actor = { kind: 'system', id: 'timer end-access' }
const day = 24 * 3600

let prosa: Awaited<ReturnType<typeof testProjections>>
let end: Position

interface About {
  id: string
  actor: Actor
  seconds: number
  cause?: string
  tenant?: string | null
  reason?: string
}

const lengths = new Map<string, number>()
const append = async (stream: string, event: AnyEvent, about: About) => {
  const { store, codec } = prosa.ports
  const length = lengths.get(stream) ?? 0
  lengths.set(stream, length + 1)
  const { actor, cause = `request ${about.id}`, tenant = null, reason } = about
  const metadata = {
    actor,
    tenant,
    causationId: cause.startsWith('request') ? cause : idOf(cause),
    correlationId: idOf(`correlation ${about.id}`),
    recordedAt: at(about.seconds),
    ...(reason !== undefined && { reason }),
  }
  const encoded = await codec.encode([{ id: idOf(about.id), stream, event, metadata }])
  const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
  if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
  end = appended.position
}

const reported = (kind: 'order_approved' | 'order_refunded', deliveryId: string): AnyEvent => ({
  type: 'OrderReported',
  data: {
    deliveryId,
    kind,
    orderRef: 'ABC1234',
    subscriptionId: null,
    productId: null,
    productName: 'Plano Pro',
    amountCents: 9700,
    paymentMethod: 'pix',
    occurredAt: at(2 * day),
    accessUntil: null,
    accessDays: 30,
    token: null,
    buyerKey: 'key',
    buyerName: 'Ana Souza',
    buyerEmail: 'ana@padaria.com.br',
    buyerDocument: null,
  },
})
const received = { endpoint: 'approved', body: 'e30=', bytes: 2048, expiresAt: at(180 * day) } as const
const lasting = { subscriptionId: null, productId: null, until: at(32 * day), endsAt: at(32 * day) } as const
const user: Actor = { kind: 'user', id: ana }

beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
  const person = { firstName: 'Ana', lastName: 'Souza', email: 'ana@padaria.com.br', credentialId: idOf('password') }
  await append(
    `user-${root}`,
    { type: 'UserRegistered', data: { ...person, firstName: 'Rui' } },
    { id: 'r1', actor: { kind: 'user', id: root }, seconds: 0, tenant: root },
  )
  await append(
    `user-${root}`,
    { type: 'RoleGranted', data: { role: 'admin' } },
    { id: 'r2', actor: { kind: 'system', id: 'configured-roles' }, seconds: 1, tenant: root },
  )

  await append(
    `user-${ana}`,
    { type: 'UserRegistered', data: person },
    { id: 'u1', actor: user, seconds: 10, tenant: ana },
  )
  await append(
    `subscription-${ana}`,
    { type: 'TrialStarted', data: { endsAt: at(10 * day) } },
    { id: 's1', actor: reactor, cause: 'u1', seconds: 11, tenant: ana },
  )
  await append(
    `webhookDelivery-${delivery}`,
    { type: 'DeliveryReceived', data: received },
    { id: 'd1', actor: kiwify, seconds: 2 * day },
  )
  await append(`order-${order}`, reported('order_approved', delivery), {
    id: 'o1',
    actor: reactor,
    cause: 'd1',
    seconds: 2 * day + 1,
  })
  await append(
    'entitlement-hash',
    { type: 'PurchaseWaiting', data: { orderId: order } },
    { id: 'e1', actor: reactor, cause: 'o1', seconds: 2 * day + 2 },
  )
  await append(
    `webhookDelivery-${delivery}`,
    { type: 'DeliveryApplied', data: { kind: 'order_approved', orderId: order } },
    { id: 'd2', actor: reactor, cause: 'd1', seconds: 2 * day + 3 },
  )
  await append(
    `user-${ana}`,
    { type: 'EmailConfirmed', data: {} },
    { id: 'u2', actor: user, seconds: 3 * day, tenant: ana },
  )
  await append(
    'entitlement-hash',
    { type: 'EntitlementClaimed', data: { userId: ana } },
    { id: 'e2', actor: reactor, cause: 'u2', seconds: 3 * day + 1 },
  )
  await append(
    `order-${order}`,
    { type: 'OrderAssigned', data: { userId: ana, by: 'email' } },
    { id: 'o2', actor: reactor, cause: 'e2', seconds: 3 * day + 2 },
  )
  await append(
    `subscription-${ana}`,
    { type: 'AccessGranted', data: { orderId: order, ...lasting, status: 'active' } },
    { id: 's2', actor: reactor, cause: 'o2', seconds: 3 * day + 3, tenant: ana },
  )
  await append(
    `webhookDelivery-${refundDelivery}`,
    { type: 'DeliveryReceived', data: { ...received, endpoint: 'refunded' } },
    { id: 'd3', actor: kiwify, seconds: 5 * day },
  )
  await append(`order-${order}`, reported('order_refunded', refundDelivery), {
    id: 'o3',
    actor: reactor,
    cause: 'd3',
    seconds: 5 * day + 1,
  })
  await append(
    `webhookDelivery-${refundDelivery}`,
    { type: 'DeliveryApplied', data: { kind: 'order_refunded', orderId: order } },
    { id: 'd4', actor: reactor, cause: 'd3', seconds: 5 * day + 2 },
  )
  await append(
    `subscription-${ana}`,
    { type: 'AccessRevoked', data: { orderId: order, cause: 'refund', endsAt: null, status: 'expired' } },
    { id: 's3', actor: reactor, cause: 'o3', seconds: 5 * day + 3, tenant: ana, reason: 'Pedido da cliente' },
  )
  await append(
    `subscription-${ana}`,
    { type: 'AccessEnded', data: {} },
    { id: 's4', actor: timer, cause: 's2', seconds: 32 * day, tenant: ana },
  )
  await append(
    `user-${idOf('bia')}`,
    { type: 'UserRegistered', data: { ...person, firstName: 'Bia' } },
    { id: 'b1', actor: { kind: 'user', id: idOf('bia') }, seconds: 33 * day, tenant: idOf('bia') },
  )
  await append(
    `user-${idOf('bia')}`,
    { type: 'UserErased', data: {} },
    { id: 'b2', actor: { kind: 'user', id: idOf('bia') }, seconds: 33 * day + 9, tenant: idOf('bia') },
  )
  await prosa.ports.readModels.reached(['account', 'history-places', 'history-links'], end, 20_000)
})
afterAll(() => prosa.stop())

/** Without this test's own readings. */
const read = async (query = '', as = root) => {
  const narrowed = query.includes('group=') ? query : `${query}${query ? '&' : '?'}group=all_but_readings`
  const { status, body } = await prosa.get(`/api/admin/history${narrowed}`, as, end)
  return { status, body: body as Page<HistoryThread> }
}
const shown = async (query: string) => {
  const { status, body } = await read(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(({ entries }) => entries.map(({ depth, text }) => `${'  '.repeat(depth)}${text}`))
}

const registration = ['Ana Souza abriu uma conta com o e-mail ana@padaria.com.br', '  Período de teste até 01/12/2026']
const purchase = [
  'Kiwify enviou um aviso ao endereço de aprovações (2 kB)',
  '  Kiwify aprovou o pedido ABC1234 (R$ 97,00 por Pix); data na Kiwify: 23/11/2026, 09:00',
  '    O pedido ABC1234 espera por quem confirmar o e-mail da compra',
  '  O aviso “compra_aprovada” foi aplicado ao pedido ABC1234',
]
const claim = [
  'Ana Souza confirmou o endereço de e-mail',
  '  Ana Souza provou que o e-mail das compras é seu',
  '    O pedido ABC1234 é de Ana Souza, pelo e-mail confirmado',
  '      O pedido ABC1234 vale: acesso até 23/12/2026',
]
const refund = [
  'Kiwify enviou um aviso ao endereço de reembolsos (2 kB)',
  '  Kiwify reembolsou o pedido ABC1234 (R$ 97,00 por Pix); data na Kiwify: 23/11/2026, 09:00',
  '    O pedido ABC1234 deixou de valer (reembolso): sem acesso',
  '  O aviso “compra_reembolsada” foi aplicado ao pedido ABC1234',
]
const over = ['O período de acesso terminou: sem acesso']

const planOf = async (pool: Pool, asked: Omit<ThreadsAsked, 'limit'>): Promise<string> => {
  let plan = ''
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return { rows: [] }
    },
  }
  await findThreads(explaining as unknown as Pool, { ...asked, limit: 26 })
  return plan
}

describe('GET /api/admin/history', () => {
  it('shows why an account is expired: newest first, each effect under its cause, from the webhook on', async () => {
    expect(await shown(`?record=user:${ana}`)).toEqual([over, refund, claim, purchase, registration])
  })

  it('names who, why, what it was before, and what led to it long before', async () => {
    const [ended, refunded, claimed] = (await read(`?record=user:${ana}`)).body.items
    expect(ended?.entries[0]?.actor).toEqual({ kind: 'system', id: null, name: 'Prosa (prazo)' })
    expect(ended?.cause).toEqual({ text: 'O pedido ABC1234 vale: acesso até 23/12/2026', at: at(3 * day + 3) })
    const revoked = refunded?.entries[2]
    expect([refunded?.entries[0]?.actor.name, revoked?.reason]).toEqual(['Kiwify', 'Pedido da cliente'])
    expect(revoked?.differences).toEqual([
      { label: 'Situação', before: 'Ativa', after: 'Expirada' },
      { label: 'Acesso até', before: '23/12/2026', after: 'sem acesso' },
    ])
    expect(claimed?.entries.at(-1)?.differences).toContainEqual({
      label: 'Situação',
      before: 'Em teste',
      after: 'Ativa',
    })
    expect(revoked?.records).toEqual([
      { kind: 'user', id: ana, name: 'Ana Souza' },
      { kind: 'order', id: order, name: 'ABC1234' },
    ])
  })

  it('names whoever was erased no more', async () => {
    const [erased] = (await read(`?record=user:${idOf('bia')}`)).body.items
    const [entry] = erased?.entries ?? []
    expect(entry?.text).toBe('[apagado] apagou a conta e os dados pessoais dela')
    expect([entry?.actor.name, entry?.records[0]?.name]).toEqual(['[apagado]', '[apagado]'])
  })

  it('finds the same chain from the order, its reference, the delivery and any id', async () => {
    expect(await shown(`?record=order:${order}`)).toEqual([refund, claim, purchase])
    expect(await shown('?search=abc1234')).toEqual([refund, claim, purchase])
    expect(await shown(`?record=delivery:${delivery}`)).toEqual([purchase])
    expect(await shown(`?search=${idOf('s3')}`)).toEqual([refund])
    expect(await shown(`?search=${idOf('nobody')}`)).toEqual([])
  })

  it('filters by subject, actor and days', async () => {
    const mine = `?record=user:${ana}`
    expect(await shown(`${mine}&group=webhook`)).toEqual([refund, purchase])
    expect(await shown(`${mine}&actor=webhook`)).toEqual([refund, purchase])
    expect(await shown(`?actor=${ana}`)).toEqual([claim, registration])
    expect(await shown(`?from=2026-11-23&to=2026-11-24`)).toEqual([claim, purchase])
    expect(await shown('?group=access&to=2026-11-21')).toEqual([registration])
  })

  it('is for administrators only, and names the field that it does not understand', async () => {
    expect((await read('', ana)).status).toBe(403)
    expect((await prosa.get('/api/admin/history')).status).toBe(401)
    for (const query of ['?record=cat:1', '?group=cat', '?from=ontem', '?actor=cat', '?search=a%00', '?cursor=x'])
      expect([query, (await read(query)).status]).toEqual([query, 422])
  })

  it('leads from each entry to the account as it was right after it', async () => {
    const entries = (await read(`?record=user:${ana}`)).body.items.flatMap((thread) => thread.entries)
    const valuesAfter = async (type: string) => {
      const { em = '', past } = entries.find((entry) => entry.type === type) ?? {}
      expect([type, past]).toEqual([type, { kind: 'access', id: ana }])
      const { body } = await prosa.get(`/api/admin/records/access/${ana}?em=${encodeURIComponent(em)}`, root, end)
      return Object.fromEntries(body.values.map(({ label, value }: { label: string; value: string }) => [label, value]))
    }
    expect(await valuesAfter('TrialStarted')).toMatchObject({
      Situação: 'Em teste',
      'Acesso até': '01/12/2026',
      'E-mail confirmado': 'não',
    })
    expect(await valuesAfter('AccessGranted')).toMatchObject({
      Situação: 'Ativa',
      'Acesso até': '23/12/2026',
      'E-mail confirmado': 'sim',
    })
    expect(await valuesAfter('AccessRevoked')).toMatchObject({ Situação: 'Expirada' })
    expect(entries.find(({ type }) => type === 'OrderReported')?.past).toEqual({ kind: 'order', id: order })
  })

  it('goes on by key, and reads a page of 100,000 places by its index', async () => {
    const { pool } = prosa.ports
    await pool.query(
      `insert into history_place
       select '00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'), '!' || to_char(n, 'FM00000000'), 'user-x', n, 'UserLoggedIn', 'user:x' || n % 50, 'account', 'x' || n % 50,
              'user', 'x' || n % 50, 'c' || n, 'r' || n, '2025-01-01T00:00:00.000Z', '!' || to_char(n, 'FM00000000'),
              '2025-01-01T00:00:00.000Z', 0
       from generate_series(1, 100000) n`,
    )
    await pool.query('analyze history_place')
    const first = (await read()).body
    expect(first.items.slice(2, 4).map(({ entries }) => entries.length)).toEqual([1, 4])
    const second = (await read(`?cursor=${first.nextCursor}`)).body
    expect([first.items.length, second.items.length]).toEqual([25, 25])
    expect((second.items[0]?.id ?? '') < (first.items.at(-1)?.id ?? '')).toBe(true)
    const scope = { accounts: ['x7'], records: ['user:x7', 'order:1'], correlations: ['c7'], events: [idOf('s3')] }
    const asked: Omit<ThreadsAsked, 'limit'>[] = [
      {},
      { before: '!00050000' },
      { scope },
      { scope: { ...scope, everybodys: { since: at(0), to: null } } },
      { group: 'account' },
      { group: 'all_but_readings' },
      { actor: { kind: 'user' } },
      { actor: { account: 'x7' } },
      { from: at(0), to: at(day) },
    ]
    for (const filters of asked)
      expect(await planOf(pool, filters), JSON.stringify(filters)).not.toContain('Seq Scan on history_place')
  })
})

describe('a charge of somebody who was erased', () => {
  it('has a subject of its own, and stands under its order too', async () => {
    const charged = {
      type: 'ErasedBuyerCharged',
      data: { orderRef: 'ABC1234', subscriptionId: null, amountCents: 9700 },
    } as const
    await append('order-charged', charged, { id: 'charge', actor: reactor, seconds: 400 * day })
    const of = async (query: string) => {
      const { items } = (await read(query)).body
      return items.flatMap(({ entries }) => entries.map(({ type }) => type))
    }
    expect(await of('?group=erasedCharge')).toEqual(['ErasedBuyerCharged'])
    expect(await of('?record=order:charged')).toEqual(['ErasedBuyerCharged'])
    expect(await of('?group=purchase')).not.toContain('ErasedBuyerCharged')
  })
})

describe('flows in the timeline', () => {
  const [flowId, folderId, contactId, runId] = [idOf('flow'), idOf('folder'), idOf('rui'), idOf('run')]
  const about = (id: string, cause?: string): About => ({
    ...{ id, actor: { kind: 'system', id: 'run-flows' }, seconds: 40 * day, tenant: ana },
    ...(cause !== undefined && { cause }),
  })
  const record = async (stream: string, id: string, event: AnyEvent, cause?: string) => {
    await append(stream, event, about(id, cause))
    await prosa.ports.readModels.reached(['history-places', 'history-links'], end, 20_000)
  }

  it('stand in that of their folder and of the account, without each saving of a draft', async () => {
    const created = { name: 'Boas-vindas', folderId, document: erasedFlowDocument, origin: 'new' } as const
    await record(`flowFolder-${folderId}`, 'f1', {
      type: 'FlowFolderCreated',
      data: { name: 'Vendas', description: '', isSample: false },
    })
    await record(`flow-${flowId}`, 'f2', { type: 'FlowCreated', data: created })
    await record(`flow-${flowId}`, 'f3', {
      type: 'FlowDraftSaved',
      data: { revision: 1, document: erasedFlowDocument, restoredVersion: null },
    })
    const ofFlow = ['Sistema salvou o rascunho do fluxo', 'Sistema criou o fluxo “Boas-vindas”']
    expect((await shown(`?record=flow:${flowId}`)).flat()).toEqual(ofFlow)
    expect((await shown(`?record=folder:${folderId}`)).flat()).toEqual([
      ...ofFlow,
      'Sistema criou a pasta de fluxos “Vendas”',
    ])
    expect((await shown(`?record=user:${ana}&group=automation`)).flat()).toEqual([
      ofFlow[1],
      'Sistema criou a pasta de fluxos “Vendas”',
    ])
  })

  it('and their runs in that of the contact, with what followed from a step below it', async () => {
    const run = { runId, flowId, version: 2 }
    const step = { ...run, step: 1, nodeId: 'l' }
    await record(`flowRun-${contactId}`, 'x1', {
      type: 'FlowRunStarted',
      data: { ...run, connectionId: idOf('line'), startedBy: 'keyword', startMessageId: 'M', text: 'preço' },
    })
    await record(`flowRun-${contactId}`, 'x2', {
      type: 'FlowLabelRequested',
      data: { ...step, labelId: idOf('label'), isLabelled: true },
    })
    await record(`contact-${contactId}`, 'x3', { type: 'ContactLabelled', data: { labelId: idOf('label') } }, 'x2')
    expect(await shown(`?record=contact:${contactId}`)).toEqual([
      ['O fluxo pediu para pôr uma etiqueta excluída', '  Sistema pôs uma etiqueta excluída no contato'],
      ['O fluxo (versão 2) começou por uma palavra-chave do contato: “preço”'],
    ])
  })
})

describe('work that stopped in the timeline', () => {
  const bia = idOf('bia')
  const subscription = `subscription-${bia}`
  const set = { decision: 'extended', before: { endsAt: at(day), status: 'active' }, endsAt: at(31 * day) } as const
  const parked = (name: string, eventId: string, errorName: string): AnyEvent => ({
    type: 'WorkParked',
    data: {
      ...{ worker: `projection ${name}`, parkingId: idOf(`${name} parked`), errorName, attempts: 1 },
      ...{ eventId: idOf(eventId), stream: subscription },
    },
  })
  const about = (id: string, reason?: string): About => ({
    ...{ id, actor: { kind: 'admin', id: root }, seconds: 50 * day, tenant: bia },
    ...(reason !== undefined && { reason }),
  })

  it('is no trouble where an earlier version could not read a reason that is read today, and is trouble elsewhere', async () => {
    await append(
      subscription,
      { type: 'AccessSet', data: { ...set, status: 'active' } },
      about('with reason', 'Pediu por telefone'),
    )
    await append(subscription, { type: 'AccessSet', data: { ...set, status: 'active' } }, about('without reason'))
    const works = [
      parked('account', 'with reason', 'UndecodableEvent'),
      parked('users', 'without reason', 'UndecodableEvent'),
      parked('usage', 'with reason', 'TypeError'),
      parked('plans', 'nowhere', 'UndecodableEvent'),
    ]
    for (const [index, event] of works.entries())
      await append(`parkedWork-${idOf(`work ${index}`)}`, event, { ...about(`work ${index}`), tenant: null })
    await prosa.ports.readModels.reached(['history-places', 'history-links'], end, 20_000)
    const { items } = (await read(`?record=user:${bia}&group=work`)).body
    const entries = items.flatMap((thread) => thread.entries.map(({ icon, text }) => `${icon}: ${text}`))
    expect(entries.filter((text) => text.includes('“')).toReversed()).toEqual([
      'work: A tabela de leitura “account” deixou de ler, por um momento, um evento com motivo, que hoje se lê: nada se perdeu',
      'trouble: O trabalho “projection users” parou depois de 1 tentativa (UndecodableEvent)',
      'trouble: O trabalho “projection usage” parou depois de 1 tentativa (TypeError)',
      'trouble: O trabalho “projection plans” parou depois de 1 tentativa (UndecodableEvent)',
    ])
  })
})
