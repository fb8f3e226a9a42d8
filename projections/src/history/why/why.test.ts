import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import type { WhyAnswer } from '@prosa/contracts/http/history'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../../testing/test-projections.ts'

const [ana, bia, root, carla, other, line] = [
  idOf('ana'),
  idOf('bia'),
  idOf('administrator'),
  idOf('carla'),
  idOf('other contact'),
  idOf('line'),
]
const labelId = idOf('label')
const day = 24 * 3600
const person = { firstName: 'Ana', lastName: 'Souza', email: 'ana@padaria.com.br', credentialId: idOf('password') }
const user: Actor = { kind: 'user', id: ana }
const admin: Actor = { kind: 'admin', id: root }
const system: Actor = { kind: 'system', id: 'settle' }
const whatsapp: Actor = { kind: 'whatsapp', id: line }

let prosa: Awaited<ReturnType<typeof testProjections>>
let end: Position
const lengths = new Map<string, number>()
let count = 0

const append = async (
  stream: string,
  event: AnyEvent,
  {
    actor,
    tenant = ana,
    cause,
    seconds = 0,
    reason,
  }: {
    actor: Actor
    tenant?: string | null
    cause?: string
    seconds?: number
    reason?: string
  },
): Promise<string> => {
  const { store, codec } = prosa.ports
  const length = lengths.get(stream) ?? 0
  lengths.set(stream, length + 1)
  const id = idOf(`event ${++count}`)
  const metadata = {
    actor,
    tenant,
    causationId: cause ?? `request ${count}`,
    correlationId: idOf(`correlation ${count}`),
    recordedAt: at(seconds),
    ...(reason !== undefined && { reason }),
  }
  const encoded = await codec.encode([{ id, stream, event, metadata }])
  const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
  if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
  end = appended.position
  return id
}

const reported = (kind: 'order_approved' | 'order_refunded'): AnyEvent => ({
  type: 'OrderReported',
  data: {
    ...{ deliveryId: 'd', kind, orderRef: 'ABC1234', subscriptionId: null, productId: null, productName: 'Pro' },
    ...{ amountCents: 9700, paymentMethod: 'pix', occurredAt: at(2 * day), accessUntil: at(34 * day), accessDays: 30 },
    ...{ planName: 'Pro', token: null, buyerKey: null, buyerName: 'Bia Lima', buyerEmail: null, buyerDocument: null },
  },
})

beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
  await append(
    `user-${root}`,
    { type: 'UserRegistered', data: { ...person, firstName: 'Rui' } },
    { actor: admin, tenant: root },
  )
  await append(`user-${root}`, { type: 'RoleGranted', data: { role: 'admin' } }, { actor: system, tenant: root })
  await append(
    `user-${bia}`,
    { type: 'UserRegistered', data: { ...person, firstName: 'Bia', lastName: 'Lima' } },
    {
      actor: { kind: 'user', id: bia },
      tenant: bia,
    },
  )
  const registered = await append(`user-${ana}`, { type: 'UserRegistered', data: person }, { actor: user })
  await append(
    `subscription-${ana}`,
    { type: 'TrialStarted', data: { endsAt: at(10 * day) } },
    { actor: system, cause: registered },
  )
  const kiwify: Actor = { kind: 'webhook', id: 'kiwify' }
  const paid = await append('order-o1', reported('order_approved'), { actor: kiwify, tenant: null, seconds: 2 * day })
  const moved = await append(
    'order-o1',
    { type: 'OrderAssigned', data: { userId: ana, by: 'administrator', formerUserId: bia } },
    { actor: admin, tenant: null, cause: paid },
  )
  const access = { subscriptionId: null, productId: null, until: at(34 * day), endsAt: at(34 * day) } as const
  await append(
    `subscription-${ana}`,
    { type: 'AccessGranted', data: { orderId: 'o1', ...access, status: 'active', by: 'order' } },
    { actor: system, cause: moved, seconds: 3 * day },
  )
  const contact = `contact-${carla}`
  await append(
    contact,
    { type: 'ContactAdded', data: { name: 'Carla', phone: '5511988776655', lid: null, origin: 'message' } },
    { actor: whatsapp },
  )
  await append(contact, { type: 'ContactLabelled', data: { labelId } }, { actor: user })
  await append(contact, { type: 'ConversationAccepted', data: { attendantId: ana } }, { actor: user, seconds: 60 })
  const queued = {
    messageId: 'M1',
    connectionId: line,
    toJid: 'x@s.whatsapp.net',
    content: { kind: 'text', text: 'segredo' },
  } as const
  await append(`chat-${carla}`, { type: 'MessageQueued', data: { ...queued, attendantId: ana } }, { actor: user })
  for (const type of ['MessageSent', 'MessageRead', 'MessageDelivered'] as const)
    await append(`chat-${carla}`, { type, data: { messageId: 'M1' } }, { actor: whatsapp })
  await append(contact, { type: 'ConversationResolved', data: { attendantId: ana } }, { actor: user, seconds: 90 })
  await append(contact, { type: 'ConversationReopened', data: {} }, { actor: whatsapp, seconds: 120 })
  await append(
    `chat-${carla}`,
    {
      type: 'MessageReceived',
      data: { messageId: 'M2', connectionId: line, content: { kind: 'text', text: 'oi' }, sentAt: at(119) },
    },
    { actor: whatsapp },
  )
  for (const event of [
    { type: 'BotPaused', data: { pausedAt: at(130), until: null, attendantId: ana } },
    { type: 'BotPaused', data: { pausedAt: at(140), until: at(day), attendantId: ana } },
  ] as const)
    await append(`flowRun-${carla}`, event, { actor: user, seconds: 140 })
  await append(
    `contact-${other}`,
    { type: 'ContactAdded', data: { name: 'Dora', phone: null, lid: null, origin: 'message' } },
    {
      actor: whatsapp,
      tenant: bia,
    },
  )
  await append(`connection-${line}`, { type: 'ConnectionAdded', data: { name: 'Loja' } }, { actor: user })
  await append(
    'plan-p1',
    {
      type: 'PlanCreated',
      data: {
        planId: 'pro',
        planName: 'Pro',
        productId: 'x',
        productName: 'x',
        accessDays: 30,
        price: 'R$ 97,00',
        description: '',
        purchaseUrl: null,
      },
    },
    { actor: admin, tenant: null },
  )
  await prosa.ports.readModels.reached(
    ['account', 'history-places', 'history-links', 'contact-list', 'chat-messages', 'connections'],
    end,
    20_000,
  )
}, 60_000)
afterAll(() => prosa.stop())

const why = async (path: string, as = root): Promise<WhyAnswer> => {
  const { status, body } = await prosa.get(`/api/${as === root ? 'admin/' : ''}history/${path}`, as, end)
  expect([path, status, status === 200 ? '' : body]).toEqual([path, 200, ''])
  return body
}
const refused = async (path: string, as?: string) => (await prosa.get(`/api/history/${path}`, as, end)).status

describe('the event that set a value', () => {
  it('is answered with who, when, because of what, by which rule, and with both values', async () => {
    const { label, before, after, entry, causes } = await why(`user/${ana}/why/access`)
    expect([label, before, after]).toEqual(['Acesso até', '01/12/2026', '25/12/2026'])
    expect([entry.actor.name, entry.at]).toEqual(['Sistema', at(3 * day)])
    expect(entry.text).toBe('O pedido ABC1234 vale: acesso até 25/12/2026')
    expect(entry.rule).toMatch(
      /^dias do plano: 23\/12\/2026 \(.*\); Kiwify: 25\/12\/2026; vale o mais tardio: 25\/12\/2026/,
    )
    expect(causes.map(({ text }) => text)).toEqual([
      'O pedido ABC1234 passou da conta de Bia Lima para a de Ana Souza',
      'Kiwify aprovou o pedido ABC1234 (R$ 97,00 por Pix); data na Kiwify: 23/11/2026, 09:00',
      'um aviso da Kiwify',
    ])
  })

  it('is found for every value of every kind of record, by the one event that last changed it', async () => {
    const found = async (path: string) => {
      const { entry, before, after } = await why(path)
      return [entry.type, before, after]
    }
    expect(await found(`user/${ana}/why/status`)).toEqual(['AccessGranted', 'Em teste', 'Ativa'])
    expect(await found(`user/${ana}/why/email`)).toEqual(['UserRegistered', null, person.email])
    expect(await found(`user/${root}/why/role`)).toEqual(['RoleGranted', 'nenhum', 'administrador'])
    expect(await found('order/o1/why/status')).toEqual(['OrderReported', null, 'Aprovado'])
    expect(await found('order/o1/why/amount')).toEqual(['OrderReported', null, 'R$ 97,00'])
    expect(await found('plan/p1/why/price')).toEqual(['PlanCreated', null, 'R$ 97,00'])
    expect(await found(`connection/${line}/why/status`)).toEqual(['ConnectionAdded', null, 'Conectando'])
    expect(await found(`contact/${carla}/why/status`)).toEqual(['ConversationReopened', 'Resolvido', 'Aguardando'])
    expect(await found(`contact/${carla}/why/attendant`)).toEqual(['ConversationResolved', 'Ana Souza', 'ninguém'])
    expect(await found(`contact/${carla}/why/name`)).toEqual(['ContactAdded', null, '“Carla”'])
    expect(await found(`contact/${carla}/why/bot`)).toEqual(['BotPaused', 'pausado', 'pausado até 22/11/2026, 09:00'])
    expect((await why(`contact/${carla}/why/bot`)).entry.rule).toMatch(/^enquanto o robô está pausado/)
    expect(await found(`contact/${carla}/why/label?part=${labelId}`)).toEqual(['ContactLabelled', null, 'no contato'])
  })

  it('of a tick is the report that counts, in whatever order reports came, without the text', async () => {
    const answer = await why(`contact/${carla}/why/tick?part=M1`)
    expect([answer.entry.type, answer.before, answer.after]).toEqual([
      'MessageRead',
      'um traço: enviada',
      'dois traços azuis: lida',
    ])
    expect(answer.causes).toEqual([{ text: 'um aviso do WhatsApp, na conexão “Loja”', at: null }])
    expect(JSON.stringify(answer)).not.toContain('segredo')
  })

  it('names the message that reopened a conversation, and of whom', async () => {
    const { entry } = await why(`contact/${carla}/why/status`)
    expect(entry.rule).toBe(
      'a mensagem de Carla de 21/11/2026, 09:01, recebida por “Loja”; quem escreve depois de “Resolvido” volta a “Aguardando”',
    )
  })

  it('is shown to the tenant without other accounts, and with the platform in place of who administers', async () => {
    const { entry, causes } = await why(`user/${ana}/why/access`, ana)
    expect(entry.records).toEqual([])
    expect(causes[0]?.text).toBe('O pedido ABC1234 passou da conta de outra pessoa para a de Ana Souza')
    expect(JSON.stringify([entry, causes])).not.toMatch(/Bia|Rui/)
    expect((await why(`contact/${carla}/why/status`, ana)).after).toBe('Aguardando')
  })

  it('is not shown to a second tenant, a visitor, or of what only the platform has', async () => {
    for (const path of [`user/${ana}/why/access`, `contact/${carla}/why/status`, `connection/${line}/why/status`])
      expect([path, await refused(path, bia), await refused(path)]).toEqual([path, 404, 401])
    expect(await refused(`contact/${carla}/why/tick?part=M1`, bia)).toBe(404)
    expect(await refused('order/o1/why/status', ana)).toBe(404)
    expect(await refused(`contact/${other}/why/name`, ana)).toBe(404)
    expect((await prosa.get(`/api/admin/history/user/${ana}/why/access`, ana, end)).status).toBe(403)
  })

  it('names the field that it does not understand, and answers nothing of what does not exist', async () => {
    for (const path of [
      'cat/1/why/status',
      `contact/${carla}/why/cat`,
      `contact/${carla}/why/tick?part=${'x'.repeat(200)}`,
    ])
      expect([path, await refused(path, ana)]).toEqual([path, 422])
    for (const path of [
      `contact/${idOf('nobody')}/why/status`,
      `contact/${carla}/why/access`,
      `contact/${carla}/why/tick`,
    ])
      expect([path, await refused(path, ana)]).toEqual([path, 404])
  })

  it('shows nothing of a contact that was erased', async () => {
    await append(`contact-${carla}`, { type: 'ContactErased', data: {} }, { actor: user })
    const { status, body } = await prosa.get(`/api/history/contact/${carla}/why/name`, ana, end)
    expect([status, JSON.stringify(body).includes('Carla')]).toEqual([404, false])
  })
})
