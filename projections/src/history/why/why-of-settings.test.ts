import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import { type WhyAnswer, type WhyKind, whyFields } from '@prosa/contracts/http/history'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testHistory } from '../testing/test-history.ts'
import { sourceOf } from './find-setting.ts'

const [ana, bia, root, carla] = [idOf('ana'), idOf('bia'), idOf('administrator'), idOf('carla')]
const [label, reply, field, hook] = [idOf('label'), idOf('reply'), idOf('field'), idOf('hook')]
const [menu, prices, flowOfBia] = [idOf('menu'), idOf('prices'), idOf('flow of bia')]
const user: Actor = { kind: 'user', id: ana }
const admin: Actor = { kind: 'admin', id: root }

let history: Awaited<ReturnType<typeof testHistory>>
let seconds = 0

const set = (stream: string, event: AnyEvent, tenant: string | null = ana, actor: Actor = user) =>
  history.append(stream, event, { seconds: seconds++, tenant, actor })

const flow = (id: string, name: string, tenant: string) =>
  set(
    `flow-${id}`,
    { type: 'FlowCreated', data: { name, folderId: null, origin: 'new', document: erasedFlowDocument } },
    tenant,
    { kind: 'user', id: tenant },
  )

const monday = (from: string): AnyEvent => ({
  type: 'OpeningHoursSet',
  data: {
    timeZone: 'America/Sao_Paulo',
    week: [[], [{ from, to: '18:00' }], [], [], [], [], []],
    holidays: from === '08:00' ? [] : [{ date: '2026-12-25', name: 'Natal', intervals: [] }],
  },
})

const company = (name: string): AnyEvent => ({
  type: 'CompanyDescribed',
  data: { name, email: '', phone: '', website: '', address: '' },
})

const ofHook = { webhookId: hook, name: 'ERP', address: 'https://erp.example/?key=segredo', withPersonal: false }

beforeAll(async () => {
  history = await testHistory()
  await history.register(ana, 'Ana')
  await history.register(bia, 'Bia')
  await history.register(root, 'Rui')
  await set(`user-${root}`, { type: 'RoleGranted', data: { role: 'admin' } }, root, admin)
  await set(`subscription-${ana}`, { type: 'TrialStarted', data: { endsAt: at(864_000) } })
  await set(`subscription-${ana}`, { type: 'TrialEnded', data: {} })
  await set(`user-${ana}`, { type: 'TermsAccepted', data: { version: '2026-11-27' } })
  await set(`company-${ana}`, company('Padaria'))
  await set(`company-${ana}`, company('Padaria Sol'))
  await set(`openingHours-${ana}`, monday('08:00'))
  await set(`openingHours-${ana}`, monday('09:00'))
  await set(`openingHours-${ana}`, { type: 'OutOfHoursReplyTurnedOff', data: {} })
  await set(`openingHours-${ana}`, { type: 'OutOfHoursReplyTurnedOn', data: {} })
  await set(`label-${ana}`, { type: 'LabelCreated', data: { labelId: label, name: 'Bolo', colour: 'red' } })
  await set(`label-${ana}`, { type: 'LabelCreated', data: { labelId: idOf('x'), name: 'Pão', colour: 'blue' } })
  await set(`label-${ana}`, { type: 'LabelRenamed', data: { labelId: label, name: 'Bolos' } })
  const ofReply = { quickReplyId: reply, shortcut: 'pix', isActive: true }
  await set(`quickReply-${ana}`, { type: 'QuickReplyAdded', data: { ...ofReply, content: 'antes' } })
  // It looks like a reference, and is a text.
  await set(`quickReply-${ana}`, { type: 'QuickReplyChanged', data: { ...ofReply, content: flowOfBia } })
  await set(`contactField-${ana}`, {
    type: 'ContactFieldCreated',
    data: { fieldId: field, name: 'Aniversário', variable: 'aniversario', type: 'text' },
  })
  await set(`contact-${carla}`, {
    type: 'ContactAdded',
    data: { name: 'Carla', phone: null, lid: null, origin: 'message' },
  })
  for (const value of ['março', 'abril'])
    await set(`contact-${carla}`, { type: 'ContactFieldSet', data: { fieldId: field, type: 'text', value } })
  await flow(menu, 'Cardápio', ana)
  await flow(prices, 'Preços', ana)
  await flow(flowOfBia, 'Segredo da Bia', bia)
  await set(`defaultFlow-${ana}`, { type: 'DefaultFlowChosen', data: { flowId: null } })
  await set(`defaultFlow-${ana}`, { type: 'DefaultFlowChosen', data: { flowId: menu } })
  for (const flowIds of [
    [menu, prices],
    [prices, menu],
  ])
    await set(`flowOrder-${ana}`, { type: 'FlowOrderSet', data: { flowIds } })
  await set(`webhook-${ana}`, { type: 'WebhookAdded', data: { ...ofHook, types: ['a.v1'], secretId: idOf('s') } })
  await set(`webhook-${ana}`, { type: 'WebhookPaused', data: { webhookId: hook } })
  await set(`kiwifySubscription-s1`, { type: 'SubscriptionOrderSeen', data: { orderId: 'o1' } }, null)
  await set(`kiwifySubscription-s1`, { type: 'SubscriberRemembered', data: { userId: ana } }, null)
  await set(`kiwifySubscription-s1`, { type: 'SubscriptionCancelled', data: {} }, null)
}, 60_000)
afterAll(() => history.prosa.stop())

const why = async (path: string, as: string): Promise<unknown> => {
  const { status, body } = await history.read<WhyAnswer>(
    `/api/${as === root ? 'admin/' : ''}history/${path.replace(/^(\w+\/[^/]+)\//, '$1/why/')}`,
    as,
  )
  return status === 200 ? [body.entry.type, body.before, body.after] : status
}

describe('why a setting is as it is', () => {
  it('has a source for every value that may be asked', () => {
    for (const [kind, fields] of Object.entries(whyFields))
      for (const each of fields) expect(sourceOf(kind as WhyKind, each)?.label, `${kind} ${each}`).toMatch(/./)
  })

  it('is answered with before and after, for each thing of a stream apart', async () => {
    const cases: [path: string, answer: unknown][] = [
      [`user/${ana}/limits`, ['TrialEnded', 'os de quem tem acesso', 'os de quem não paga']],
      [`user/${ana}/terms`, ['TermsAccepted', 'nenhum', '27/11/2026']],
      [`company/${ana}/name`, ['CompanyDescribed', '“Padaria”', '“Padaria Sol”']],
      [`company/${ana}/email`, ['CompanyDescribed', null, 'nenhum']],
      [`openingHours/${ana}/monday`, ['OpeningHoursSet', '08:00 às 18:00', '09:00 às 18:00']],
      [`openingHours/${ana}/sunday`, ['OpeningHoursSet', null, 'fechado']],
      [`openingHours/${ana}/holidays`, ['OpeningHoursSet', 'nenhum', '25/12/2026 “Natal”: fechado']],
      [`openingHours/${ana}/reply`, ['OutOfHoursReplyTurnedOn', 'desligada', 'ligada']],
      [`label/${ana}/name?part=${label}`, ['LabelRenamed', '“Bolo”', '“Bolos”']],
      [`label/${ana}/colour?part=${label}`, ['LabelCreated', null, 'vermelho']],
      [`quickReply/${ana}/content?part=${reply}`, ['QuickReplyChanged', '“antes”', `“${flowOfBia}”`]],
      [`contactField/${ana}/name?part=${field}`, ['ContactFieldCreated', null, '“Aniversário”']],
      [`contact/${carla}/field?part=${field}`, ['ContactFieldSet', '“março”', '“abril”']],
      [`flows/${ana}/default`, ['DefaultFlowChosen', 'nenhum', 'Cardápio']],
      [`flows/${ana}/order`, ['FlowOrderSet', 'Cardápio, Preços', 'Preços, Cardápio']],
      [`webhook/${ana}/status?part=${hook}`, ['WebhookPaused', 'Ativo', 'Pausado']],
    ]
    for (const [path, answer] of cases) expect([path, await why(path, ana)]).toEqual([path, answer])
    for (const [path, answer] of cases) expect([path, await why(path, root)]).toEqual([path, answer])
  })

  it('of a purchase record names its account, and is for administrators alone', async () => {
    expect(await why('purchase/s1/account', root)).toEqual(['SubscriberRemembered', null, 'Ana Souza'])
    expect(await why('purchase/s1/status', root)).toEqual([
      'SubscriptionCancelled',
      'Em cobrança',
      'Cancelada: nada mais será cobrado',
    ])
    expect(await why('purchase/s1/status', ana)).toBe(404)
  })

  it('is not answered to a second tenant, nor without the thing that is asked about', async () => {
    for (const path of [
      `company/${ana}/name`,
      `openingHours/${ana}/monday`,
      `label/${ana}/name?part=${label}`,
      `flows/${ana}/order`,
      `contact/${carla}/field?part=${field}`,
      `webhook/${ana}/status?part=${hook}`,
    ])
      expect([path, await why(path, bia)]).toEqual([path, 404])
    for (const path of [`label/${ana}/name`, `label/${ana}/name?part=${idOf('none')}`, `company/${ana}/monday`])
      expect([path, await why(path, ana)]).toEqual([path, 404])
  })

  it('shows no address of a webhook', async () => {
    const { body } = await history.read<WhyAnswer>(`/api/history/webhook/${ana}/why/name?part=${hook}`, ana)
    expect(JSON.stringify(body)).not.toContain('segredo')
  })

  it('is in the history of the account too: what changed, before and after', async () => {
    const { body } = await history.read('/api/history', ana)
    const changed = body.items.flatMap(({ entries }) =>
      entries.flatMap(({ type, differences }) =>
        differences.map(({ label: of, before, after }) => [type, of, before, after].join(' | ')),
      ),
    )
    expect(changed).toEqual(
      expect.arrayContaining([
        'LabelRenamed | Nome | “Bolo” | “Bolos”',
        'OpeningHoursSet | Segunda | 08:00 às 18:00 | 09:00 às 18:00',
        'FlowOrderSet | Ordem dos fluxos | Cardápio, Preços | Preços, Cardápio',
        'ContactFieldSet | Campo | “março” | “abril”',
        'CompanyDescribed | Nome | “Padaria” | “Padaria Sol”',
      ]),
    )
    expect(JSON.stringify(body)).not.toContain('Segredo da Bia')
  })
})
