import { readdirSync, readFileSync } from 'node:fs'
import type { EventType } from '@prosa/contracts/events/all-events'
import { allEvents } from '@prosa/contracts/events/all-events'
import { erasedText, personalFields } from '@prosa/contracts/values/personal'
import { at } from '@prosa/kernel/consumers/testing/test-log'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { describe, expect, it } from 'vitest'
import type { Names } from '../sentences/sentence.ts'
import { dropBefore } from './others.ts'
import type { Facts } from './rule.ts'
import { ruleOf, rules } from './rule-of.ts'
import { withoutRule } from './without-rule.ts'

const names: Names = {
  actor: 'Ana Souza',
  user: () => 'Bia Lima',
  contact: () => 'Carla',
  connection: () => 'Loja',
  label: () => 'a etiqueta “VIP”',
  field: () => 'o campo “Aniversário”',
  order: (id) => id.toUpperCase(),
  ofRecord: (key) => key,
}

const day = 24 * 3600
let length = 0
const stored = (stream: string, type: EventType, data: object, more: object = {}): Stored => {
  const position = String(++length).padStart(6, '0')
  const metadata = {
    recordedAt: at(0),
    actor: { kind: 'system', id: '' },
    causationId: `c${length}`,
    tenant: null,
    ...more,
  }
  return { id: position, type, data, stream, revision: 0n, position, metadata } as unknown as Stored
}

const factsOf = (events: readonly Stored[], more: Partial<Facts> = {}): Facts => ({
  nextMessage: undefined,
  missed: undefined,
  earlier: (stream) => events.filter((event) => event.stream === stream),
  ...more,
})
/** The rule of the last one, after the others. */
const ruleAfter = (...events: [...Stored[], Stored]) => {
  const last = events.at(-1)
  return last && ruleOf(last, factsOf(events.slice(0, -1)), names)
}

const reported = (kind: string, more: object = {}) =>
  stored('order-o1', 'OrderReported', {
    ...{ deliveryId: 'd', kind, orderRef: 'O1', subscriptionId: 's1', productId: 'p', productName: 'Pro' },
    ...{ amountCents: 9700, paymentMethod: 'pix', occurredAt: at(2 * day), accessUntil: null, accessDays: 30 },
    ...{
      planName: 'Pro',
      token: null,
      buyerKey: null,
      buyerName: null,
      buyerEmail: null,
      buyerDocument: null,
      ...more,
    },
  })
const mine = 'subscription-a'
const trial = () => stored(mine, 'TrialStarted', { endsAt: at(10 * day) })
const granted = (orderId: string, until: string, endsAt = until) =>
  stored(mine, 'AccessGranted', {
    ...{ orderId, subscriptionId: 's1', productId: 'p', until, endsAt, status: 'active', by: 'order' },
  })

describe('the rule of access', () => {
  it('names the days of the plan and the date of Kiwify beside each other, and which counts', () => {
    const period =
      'dias do plano: 23/12/2026 (pago em 23/11/2026 + 30 dias de “Pro”); Kiwify: 25/12/2026; vale o mais tardio: 25/12/2026'
    const approved = reported('order_approved', { accessUntil: at(34 * day) })
    expect(ruleAfter(approved)).toBe(period)
    expect(ruleAfter(trial(), approved, granted('o1', at(34 * day)))).toBe(
      `${period}; período de teste: 01/12/2026; pedido O1: 25/12/2026; vale o mais tardio: 25/12/2026`,
    )
  })

  it('says why nothing changed: given back already, paid already, shorter than what there was', () => {
    const paid = reported('order_approved')
    const refunded = reported('order_refunded')
    expect(ruleAfter(paid, refunded, reported('order_approved', { accessUntil: at(90 * day) }))).toBe(
      'não mudou o acesso: o pedido já foi reembolsado',
    )
    expect(ruleAfter(reported('chargeback'), reported('subscription_renewed'))).toBe(
      'não mudou o acesso: o pedido já foi contestado no cartão',
    )
    expect(ruleAfter(paid, refunded, stored('order-o1', 'OrderDeliveryAttached', { deliveryId: 'x' }))).toBe(
      'não mudou o acesso: o pedido já foi reembolsado',
    )
    expect(ruleAfter(paid, reported('subscription_renewed'))).toMatch(/^não mudou o acesso: o pedido já estava pago/)
    expect(ruleAfter(reported('pix_created'))).toBe('não mudou o acesso: nada foi pago')
    expect(ruleAfter(reported('order_refunded'))).toMatch(/^não mudou o acesso: o pedido não tinha sido pago/)
    expect(ruleAfter(reported('order_approved', { isWithoutPlan: true, planName: undefined }))).toMatch(
      /^não dá acesso/,
    )
    const short = granted('o1', at(5 * day), at(10 * day))
    expect(ruleAfter(trial(), short)).toMatch(/não mudou o acesso: o período de teste já vai até 01\/12\/2026/)
  })

  it('is the same in any order of reports, as the access itself is', () => {
    const last = granted('o1', at(34 * day))
    const [one, other] = [reported('order_approved', { accessUntil: at(34 * day) }), reported('subscription_renewed')]
    expect(ruleAfter(trial(), one, other, last)).toBe(ruleAfter(trial(), other, one, last))
  })

  it('lists what else could give access where one order is taken away, and when it ends', () => {
    const back = stored(mine, 'AccessRevoked', {
      orderId: 'o1',
      cause: 'refund',
      endsAt: at(10 * day),
      status: 'active',
    })
    expect(ruleAfter(trial(), granted('o1', at(34 * day)), back)).toBe(
      'um pedido devolvido não conta mais, ainda que chegue outra aprovação; período de teste: 01/12/2026; pedido O1: devolvido; vale o mais tardio: 01/12/2026',
    )
    expect(ruleAfter(trial(), stored(mine, 'TrialEnded', {}))).toBe(
      'o fim passou: 01/12/2026, 09:00; período de teste: 01/12/2026; vale o mais tardio: 01/12/2026',
    )
    const cancelled = stored(mine, 'RenewalCancelled', { subscriptionId: 'other', status: 'active' })
    expect(ruleAfter(trial(), cancelled)).toBe('não mudou a situação (ativa): o acesso não vem desta assinatura')
  })

  it('names what a decision of an administrator outweighed', () => {
    const set = {
      decision: 'removed',
      before: { endsAt: at(10 * day), status: 'active' },
      endsAt: at(0),
      status: 'expired',
    }
    expect(ruleAfter(trial(), stored(mine, 'AccessSet', set))).toMatch(/sabia-se: período de teste: 01\/12\/2026$/)
    expect(
      ruleAfter(trial(), granted('o1', at(34 * day)), stored(mine, 'AccessSet', set), granted('o2', at(64 * day))),
    ).toMatch(
      /administração: acesso removido em 21\/11\/2026; pedido O1: não conta, é de antes da remoção; pedido O2: 24\/01\/2027/,
    )
  })

  it('does not grow with the number of orders', () => {
    const orders = Array.from({ length: 50 }, (_, index) => granted(`x${index}`, at((11 + index) * day)))
    expect(ruleAfter(trial(), ...orders, granted('last', at(99 * day)))).toMatch(
      /; e mais 46; vale o mais tardio: 28\/02\/2027$/,
    )
  })
})

describe('the rule of conversations', () => {
  const whatsapp = { actor: { kind: 'whatsapp', id: 'line' } }
  const added = (id: string, name: string | null, phone: string | null) =>
    stored(`contact-${id}`, 'ContactAdded', { name, phone, lid: null, origin: 'message' })

  it('names the message that reopened one, of whom, and over which line', () => {
    const event = stored('contact-a', 'ConversationReopened', {}, whatsapp)
    const facts = factsOf([], { nextMessage: { sentAt: at(day), connectionId: 'line' } })
    expect(ruleOf(event, facts, names)).toBe(
      'a mensagem de Carla de 22/11/2026, 09:00, recebida por “Loja”; quem escreve depois de “Resolvido” volta a “Aguardando”',
    )
  })

  it('names another cause of that: a merge, a robot, a flow', () => {
    const merged = stored('contact-a', 'ContactMerged', { absorbed: 'b' }, { ...whatsapp, causationId: 'm' })
    const reopened = stored('contact-a', 'ConversationReopened', {}, { ...whatsapp, causationId: 'm' })
    expect(ruleAfter(merged, reopened)).toBe('o contato unido ainda aguardava')
    const later = stored('contact-a', 'ConversationReopened', {}, { ...whatsapp, causationId: 'm', recordedAt: at(1) })
    expect(ruleAfter(merged, later)).toMatch(/^uma mensagem de Carla, recebida por “Loja”/)
    const flow = stored('contact-a', 'ConversationReopened', {}, { actor: { kind: 'flow', id: 'f' } })
    expect(ruleAfter(flow)).toBe('um fluxo passou a conversa a uma pessoa')
  })

  it('names the number that merged two, both names before, and who can separate them', () => {
    const before = [added('a', 'Ana', '5511988776655'), added('b', 'Ana Celular', null)]
    const words =
      'o WhatsApp informou que os dois são o mesmo número ((11) 98877-6655); antes: “Ana” e “Ana Celular”; fica o mais antigo; quem atende pode separá-los em Detalhes, em “Contatos unidos”'
    expect(ruleAfter(...before, stored('contact-a', 'ContactMerged', { absorbed: 'b' }))).toBe(words)
    expect(ruleAfter(...before, stored('contact-b', 'ContactAbsorbed', { into: 'a' }))).toBe(words)
  })
})

describe('the rule of a line', () => {
  const line = 'connection-c'
  const opened = (seconds: number) => stored(line, 'LineOpened', {}, { recordedAt: at(seconds) })
  const dropped = (seconds: number, code = 428) =>
    stored(line, 'LineDropped', { code, reason: '' }, { recordedAt: at(seconds) })

  it('counts what came while it was away, what was fetched, and what stayed on the phone', () => {
    const earlier = [opened(0), dropped(60), dropped(120)]
    const facts = factsOf(earlier, { missed: { arrived: 3, onPhone: 1, isPartial: false } })
    expect(ruleOf(opened(180), facts, names)).toBe(
      'esteve fora de 21/11/2026, 09:01 a 21/11/2026, 09:03; 3 mensagens desse tempo foram buscadas depois; 1 arquivo ficou só no celular',
    )
  })

  it('is no return where nothing dropped, as after the restart that follows a QR code', () => {
    const linked = stored(line, 'NumberLinked', { phone: null, lid: null, pushName: null })
    expect(dropBefore([linked, dropped(1, 515)])).toBeUndefined()
    expect(ruleAfter(linked, dropped(1, 515), opened(2))).toBe('o celular autorizou, e o WhatsApp abriu a linha')
  })
})

describe('every event that was ever stored', () => {
  const folder = new URL('../../../../contracts/src/events/golden/', import.meta.url)
  const golden = readdirSync(folder).map(
    (file) =>
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { type: EventType; data: Record<string, unknown> },
  )

  it('has a rule without an empty place, a raw id, or what was erased', () => {
    for (const { type, data } of golden) {
      const erased = { ...data, ...Object.fromEntries(personalFields(allEvents[type])) }
      for (const each of [data, erased]) {
        const rule = ruleAfter(stored('order-0b1c', type, each))
        expect(rule ?? '', type).not.toMatch(/undefined|null|NaN|\[object|Invalid|[0-9a-f]{8}-[0-9a-f]{4}-|@lid/)
      }
    }
  })

  it('with names that look like code or another sentence shows them as text in quotes', () => {
    const hostile = '”; vale o mais tardio: 31/12/2099 <script>\u202e'
    const contact = stored('contact-a', 'ContactAdded', { name: hostile, phone: null, lid: null, origin: 'message' })
    const gone = stored('contact-b', 'ContactAdded', { name: erasedText, phone: null, lid: null, origin: 'message' })
    const rule = ruleAfter(contact, gone, stored('contact-a', 'ContactMerged', { absorbed: 'b' })) ?? ''
    expect(rule).toContain(erasedText)
    // No quotation mark of a name ends the quotation.
    expect(rule.match(/”/g)).toHaveLength(3)
    expect(rule).not.toContain('\u202e')
  })
})

describe('every event', () => {
  it('has a rule or is declared to need none, and never both', () => {
    expect([...Object.keys(rules), ...withoutRule].sort()).toEqual(Object.keys(allEvents).sort())
  })
})

describe('the rule of what flows do', () => {
  const run = { runId: 'r', flowId: 'f', version: 3 }
  const of = (type: EventType, data: object = {}) => ruleAfter(stored('flowRun-c', type, { ...run, ...data }))

  it('says by which trigger a run began, and which version it follows', () =>
    expect(of('FlowRunStarted', { startedBy: 'keyword', text: 'preço' })).toBe(
      'o gatilho da versão publicada é uma palavra-chave, que a mensagem tem; a conversa segue até o fim a versão 3, em que começou',
    ))

  it('says which answers a step puts in a field of the contact', () =>
    expect(of('FlowFieldRequested', { type: 'date', value: '1985-03-15' })).toMatch(/^o passo guarda .* é trocado$/))

  it('says when a finish counts, until when thanks do not reopen it, and what undoes it', () => {
    expect(of('FlowFinishRequested', { until: at(3600) })).toMatch(
      /^a conversa é finalizada se nada foi decidido .* e nenhuma pessoa a atende; até .*, quem só agradece não a reabre$/,
    )
    expect(of('FlowThanked')).toMatch(/só um agradecimento .* continua finalizada/)
    expect(of('FlowFinishUndone', { messageId: null })).toBe('o que uma pessoa assume nenhum fluxo finaliza mais')
    expect(of('FlowFinishUndone', { messageId: 'm' })).toMatch(/^qualquer outra resposta depois do fim espera/)
  })

  it('tells a conversation that a flow finished from one that a person did', () => {
    const resolved = (data: object) => ruleAfter(stored('contact-c', 'ConversationResolved', data))
    expect(resolved({ attendantId: 'a' })).toMatch(/^só uma conversa em atendimento é finalizada/)
    expect(resolved({ attendantId: 'a', flowId: 'f' })).toMatch(/^um fluxo finaliza só o que nenhuma pessoa atende/)
  })

  it('is silent where the sentence says it all', () => {
    expect(of('FlowRunEnded', { reason: 'completed' })).toBeNull()
    expect(of('FlowStepTaken', { type: 'message' })).toBeNull()
    expect(of('FlowMessageRequested')).toBeNull()
  })
})
