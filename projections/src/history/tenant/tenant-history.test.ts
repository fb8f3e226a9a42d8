import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestHistory, testHistory, textsOf } from '../testing/test-history.ts'

const [ana, eva, root] = ['ana', 'eva', 'root'].map(idOf) as [string, string, string]
const [shop, carla, flow, run] = ['shop', 'carla', 'flow', 'run'].map(idOf) as [string, string, string, string]
const [vip, late, pix] = ['vip', 'late', 'pix'].map(idOf) as [string, string, string]
const user: Actor = { kind: 'user', id: ana }
const team: Actor = { kind: 'admin', id: root }
const system: Actor = { kind: 'system', id: 'test' }
const day = 24 * 3600

let history: TestHistory
const own = (seconds: number, more = {}) => ({ seconds, tenant: ana, actor: user, ...more })
const read = async (query = '', reader = ana) => history.read(`/api/history${query}`, reader)
const texts = async (query = '', reader = ana) => textsOf(await read(query, reader))

const order = (orderId: string, name: string): AnyEvent => ({
  type: 'OrderReported',
  data: {
    ...{
      deliveryId: `d-${orderId}`,
      kind: 'order_approved' as const,
      orderRef: orderId.toUpperCase(),
      subscriptionId: null,
    },
    ...{ productId: null, productName: 'Plano Pro', amountCents: 9700, paymentMethod: 'pix', occurredAt: at(5) },
    ...{ accessUntil: null, accessDays: 30, token: null, buyerKey: null, buyerName: name },
    ...{ buyerEmail: `${name.toLowerCase()}@example.com`, buyerDocument: null },
  },
})

beforeAll(async () => {
  history = await testHistory()
  const { append } = history
  await history.register(ana, 'Ana')
  await history.register(eva, 'Eva')
  await history.register(root, 'Rui')
  await append(`user-${root}`, { type: 'RoleGranted', data: { role: 'admin' } }, { seconds: 0, tenant: root })
  await append(`connection-${shop}`, { type: 'ConnectionAdded', data: { name: 'Loja' } }, own(100))
  await append(`connection-${shop}`, { type: 'LinkingStarted', data: { until: at(200) } }, own(101))
  const contact = { phone: null, lid: null, name: 'Carla', origin: 'message' } as const
  await append(`contact-${carla}`, { type: 'ContactAdded', data: contact }, own(200))
  await append(`contact-${carla}`, { type: 'ConversationAccepted', data: { attendantId: ana } }, own(260))
  await append(`label-${ana}`, { type: 'LabelCreated', data: { labelId: vip, name: 'VIP', colour: 'red' } }, own(300))
  await append(
    `label-${ana}`,
    { type: 'LabelCreated', data: { labelId: late, name: 'Atrasado', colour: 'blue' } },
    own(301),
  )
  await append(`contact-${carla}`, { type: 'ContactLabelled', data: { labelId: vip } }, own(302))
  await append(
    `quickReply-${ana}`,
    { type: 'QuickReplyAdded', data: { quickReplyId: pix, shortcut: 'pix', content: 'chave', isActive: true } },
    own(310),
  )
  await append(`openingHours-${ana}`, { type: 'OutOfHoursReplyTurnedOn', data: {} }, own(320))
  await append(
    `company-${ana}`,
    { type: 'CompanyChoicesMade', data: { notifications: true, analytics: false } },
    own(330),
  )
  await append(
    `flow-${flow}`,
    { type: 'FlowCreated', data: { name: 'Boas-vindas', origin: 'new', folderId: null, document: erasedFlowDocument } },
    own(340),
  )
  await append(
    `flowRun-${carla}`,
    {
      type: 'FlowRunStarted',
      data: {
        runId: run,
        flowId: flow,
        version: 1,
        connectionId: shop,
        startedBy: 'keyword',
        startMessageId: null,
        text: 'oi',
      },
    },
    own(350, { actor: system }),
  )
  // Money, through an order that nobody knew at first; and one that was Eva’s before.
  await append('order-abc', order('abc', 'Ana'), { seconds: 400, actor: { kind: 'webhook', id: 'kiwify' } })
  await append(
    'order-abc',
    { type: 'OrderAssigned', data: { userId: ana, by: 'email' } },
    { seconds: 401, actor: system },
  )
  await append('order-eva', order('eva', 'Evandra'), { seconds: 402, actor: { kind: 'webhook', id: 'kiwify' } })
  await append(
    'order-eva',
    { type: 'OrderAssigned', data: { userId: eva, by: 'email' } },
    { seconds: 403, actor: system },
  )
  await append(
    'order-eva',
    { type: 'OrderAssigned', data: { userId: ana, by: 'administrator', formerUserId: eva } },
    { seconds: 404, actor: team, reason: 'Pagou com o e-mail da sócia' },
  )
  const access = { decision: 'extended', status: 'active', endsAt: at(40 * day) } as const
  await append(
    `subscription-${ana}`,
    { type: 'AccessSet', data: { ...access, before: { status: 'expired', endsAt: at(day) } } },
    own(500, { actor: team, reason: 'Pediu por telefone' }),
  )
  // Work of Prosa’s, about the tenant.
  await append(
    `parkedWork-${idOf('work')}`,
    {
      type: 'WorkParked',
      data: {
        ...{ worker: 'projection account', parkingId: idOf('parking'), errorName: 'TypeError', attempts: 1 },
        ...{ eventId: null, stream: `subscription-${ana}` },
      },
    },
    own(510, { actor: system }),
  )
  await append(
    `connection-${idOf('eva')}`,
    { type: 'ConnectionAdded', data: { name: 'Da Eva' } },
    { seconds: 520, tenant: eva },
  )
}, 60_000)
afterAll(() => history.prosa.stop())

describe('the history of an account, for whoever it belongs to', () => {
  it('has everything of it, newest first, with who of the team did what and why', async () => {
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(textsOf({ body })).toEqual([
      'Rui Souza (equipe do Prosa) estendeu o acesso de Ana Souza: acesso até 31/12/2026',
      'O pedido EVA passou da conta de outra pessoa para a de Ana Souza',
      'Kiwify aprovou o pedido EVA (R$ 97,00 por Pix); data na Kiwify: 21/11/2026, 09:00',
      'O pedido ABC é de Ana Souza, pelo e-mail confirmado',
      'Kiwify aprovou o pedido ABC (R$ 97,00 por Pix); data na Kiwify: 21/11/2026, 09:00',
      'O fluxo (versão 1) começou por uma palavra-chave do contato: “oi”',
      'Ana Souza criou o fluxo “Boas-vindas”',
      'Ana Souza escolheu: notificações ligadas, estatísticas desligadas',
      'Ana Souza ligou a resposta fora do horário',
      'Ana Souza criou a resposta rápida “/pix”',
      'Ana Souza pôs a etiqueta “VIP” no contato',
      'Ana Souza criou a etiqueta “Atrasado” (azul)',
      'Ana Souza criou a etiqueta “VIP” (vermelho)',
      'Ana Souza aceitou a conversa',
      'Carla escreveu pela primeira vez',
      'Ana Souza criou a conexão “Loja”',
      'Ana Souza abriu uma conta com o e-mail ana@example.com',
    ])
    const [set] = body.items[0]?.entries ?? []
    expect(set).toMatchObject({ reason: 'Pediu por telefone', actor: { kind: 'admin', id: null } })
    expect(set?.differences).toContainEqual({ label: 'Situação', before: 'Expirada', after: 'Ativa' })
  })

  it('gives away no other account, no id of the team and no position of the log', async () => {
    const { body } = await read()
    const shown = JSON.stringify(body)
    expect(shown).not.toMatch(/Eva |Evandra|eva@example|Da Eva|projection account/)
    expect(shown).not.toContain(root)
    expect(shown).not.toContain(eva)
    for (const { id } of body.items) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  it.each([
    [
      `?record=contact:${carla}`,
      ['O fluxo (versão 1) começou', 'Ana Souza pôs', 'Ana Souza aceitou', 'Carla escreveu'],
    ],
    [`?record=flow:${flow}`, ['Ana Souza criou o fluxo']],
    [`?record=run:${run}`, ['O fluxo (versão 1) começou']],
    [`?record=label:${vip}`, ['Ana Souza pôs', 'Ana Souza criou a etiqueta “VIP”']],
    [`?record=quickReply:${pix}`, ['Ana Souza criou a resposta rápida']],
    [`?record=connection:${shop}`, ['A conexão “Loja” pediu um QR Code', 'Ana Souza criou a conexão']],
    ['?record=order:abc', ['O pedido ABC é de Ana', 'Kiwify aprovou o pedido ABC']],
    ['?kind=hours', ['Ana Souza ligou a resposta fora do horário']],
    ['?kind=company', ['Ana Souza escolheu']],
    [
      '?kind=plan',
      [
        'Rui Souza (equipe do Prosa) estendeu',
        'O pedido EVA passou',
        'Kiwify aprovou o pedido EVA',
        'O pedido ABC é',
        'Kiwify aprovou o pedido ABC',
      ],
    ],
    ['?actor=admin', ['Rui Souza (equipe do Prosa) estendeu', 'O pedido EVA passou']],
    ['?from=2026-11-22&to=2026-11-23', []],
    [
      '?from=2026-11-21&to=2026-11-21&kind=label',
      ['Ana Souza criou a etiqueta “Atrasado”', 'Ana Souza criou a etiqueta “VIP”'],
    ],
  ])('%s', async (query, expected) => {
    const found = await texts(query)
    expect(found).toHaveLength(expected.length)
    for (const [index, begin] of expected.entries()) expect(found[index]).toContain(begin)
  })

  it('of a record of somebody else is as empty as of one that does not exist', async () => {
    for (const record of [
      `contact:${carla}`,
      `flow:${flow}`,
      `run:${run}`,
      `label:${vip}`,
      'order:abc',
      `connection:${shop}`,
    ]) {
      const { status, body } = await read(`?record=${record}`, eva)
      expect([record, status, body.items]).toEqual([record, 200, []])
    }
    expect((await texts('', eva)).join()).not.toMatch(/Ana|Carla|Loja|VIP/)
  })

  it('refuses what is no filter with a sentence, and asks for nothing of administrators', async () => {
    for (const query of [
      '?from=2026-11-23&to=2026-11-22',
      '?from=ontem',
      '?kind=work',
      '?record=work:x',
      '?record=user:x',
      '?actor=x',
    ])
      expect([query, (await read(query)).status]).toEqual([query, 422])
    expect((await history.prosa.app.inject({ url: '/api/history' })).statusCode).toBe(401)
  })

  it('is paged with tokens of its reader', async () => {
    const many = idOf('many')
    for (let index = 0; index < 60; index++)
      await history.append(
        `contact-${many}`,
        { type: 'ContactNamed', data: { name: `Nome ${index}` } },
        { seconds: 600 + index, tenant: eva, actor: system },
      )
    const first = await read('', eva)
    expect(first.body.items).toHaveLength(25)
    const cursor = encodeURIComponent(first.body.nextCursor ?? '')
    const second = await read(`?cursor=${cursor}`, eva)
    expect(textsOf(second)[0]).toBe('O nome do contato no WhatsApp é “Nome 34”')
    const third = await read(`?cursor=${encodeURIComponent(second.body.nextCursor ?? '')}`, eva)
    expect(third.body.nextCursor).toBeNull()
    expect((await read(`?cursor=${cursor}`)).status).toBe(422)
  })
})

describe('each entry', () => {
  it('opens its record as it was right after it, for whom it is about alone', async () => {
    const { prosa, append } = history
    const renamed: AnyEvent = { type: 'FlowRenamed', data: { name: 'Boas-vindas de verão' } }
    await append(`flow-${flow}`, renamed, own(600))
    const entries = (await read(`?record=flow:${flow}`)).body.items.flatMap((thread) => thread.entries)
    const nameThen = async (type: string, reader = ana) => {
      const em = entries.find((entry) => entry.type === type)?.em ?? ''
      const { status, body } = await prosa.get(`/api/records/flow/${flow}?em=${encodeURIComponent(em)}`, reader)
      return status === 200 ? body.values.find(({ label }: { label: string }) => label === 'Nome')?.value : status
    }
    expect(await nameThen('FlowCreated')).toBe('Boas-vindas')
    expect(await nameThen('FlowRenamed')).toBe('Boas-vindas de verão')
    // A moment is for whom it was made.
    expect(await nameThen('FlowCreated', eva)).toBe(422)
    expect(JSON.stringify(entries)).not.toMatch(/"em":"0*\d{1,12}"/)
  })

  it('opens its record for administrators by moments of their own, as a reading', async () => {
    const { body } = await history.read(`/api/admin/history?record=flow:${flow}`, root)
    const entry = body.items.flatMap(({ entries }) => entries).find(({ type }) => type === 'FlowCreated')
    expect(entry?.past).toEqual({ kind: 'flow', id: flow })
    const em = encodeURIComponent(entry?.em ?? '')
    const shown = await history.prosa.get(`/api/admin/records/flow/${flow}?em=${em}`, root)
    expect(shown.body.values).toContainEqual({ label: 'Nome', value: 'Boas-vindas' })
    expect((await history.prosa.get(`/api/records/flow/${flow}?em=${em}`, ana)).status).toBe(422)
    expect((await history.prosa.get(`/api/admin/records/flow/${flow}?em=${em}`, ana)).status).toBe(403)
  })
})
