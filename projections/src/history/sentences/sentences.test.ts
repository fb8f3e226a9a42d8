import { readdirSync, readFileSync } from 'node:fs'
import { allEvents } from '@prosa/contracts/events/all-events'
import { historyIcon } from '@prosa/contracts/http/history'
import { erasedText, personalFields } from '@prosa/contracts/values/personal'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { describe, expect, it } from 'vitest'
import type { Names } from './sentence.ts'
import { sentenceOf, sentences } from './sentence-of.ts'

const folder = new URL('../../../../contracts/src/events/golden/', import.meta.url)
const golden = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { type: string; data: Record<string, unknown> },
)

const names: Names = {
  actor: 'Ana Souza',
  user: () => 'Bia Lima',
  contact: () => 'Carla',
  connection: () => 'Loja',
  label: () => 'a etiqueta “VIP”',
  field: () => 'o campo “Aniversário”',
  order: () => 'ABC1234',
  ofRecord: () => 'do pedido ABC1234',
}

const stored = (type: string, data: object): Stored =>
  ({ id: 'e', type, data, stream: 'any-0b1c', revision: 0n, position: '1', metadata: {} }) as unknown as Stored

const inWords = (type: string, data: object) => sentenceOf(stored(type, data), names)

describe('the timeline has a sentence', () => {
  it.each(Object.keys(allEvents))('for %s', (type) => {
    expect(sentences).toHaveProperty(type)
  })

  it('without an empty place or a raw id, for every event that was ever stored', () => {
    for (const { type, data } of golden) {
      const { text, icon, differences = [] } = inWords(type, data)
      const shown = [text, ...differences.flatMap(({ label, before, after }) => [label, before, after])]
      for (const words of shown) {
        expect(words, type).not.toMatch(/undefined|null|NaN|\[object|Invalid/)
        expect(words, type).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|@lid|@s\.whatsapp/)
        expect(words.trim(), type).toBe(words)
      }
      expect(text, type).toMatch(/^\p{Lu}.*[^.]$/u)
      historyIcon.parse(icon)
    }
  })

  it('that shows no personal data of whoever was erased', () => {
    for (const { type, data } of golden) {
      const schema = allEvents[type as keyof typeof allEvents]
      const erased = { ...data, ...Object.fromEntries(personalFields(schema)) }
      const { text, differences = [] } = inWords(type, erased)
      const shown = JSON.stringify([text, differences])
      expect(shown, type).not.toMatch(/undefined|null/)
      for (const field of personalFields(schema).keys()) {
        const value = data[field]
        if (typeof value === 'string' && value.length > 3) expect(shown, `${type}.${field}`).not.toContain(value)
      }
    }
    expect(inWords('ContactNamed', { name: erasedText }).text).toBe('O nome do contato no WhatsApp é “[apagado]”')
  })
})

describe('the sentences', () => {
  const when = { occurredAt: '2026-11-27T14:53:00.000Z' }
  const order = { deliveryId: 'd', orderRef: 'ABC1234', amountCents: 9700, paymentMethod: 'credit_card', ...when }
  it.each([
    [
      'OrderReported',
      { ...order, kind: 'order_approved' },
      'Kiwify aprovou o pedido ABC1234 (R$ 97,00 no cartão); data na Kiwify: 27/11/2026, 11:53',
    ],
    [
      'OrderReported',
      { ...order, kind: 'subscription_late', amountCents: null },
      'Kiwify avisou que o pedido ABC1234 está atrasado; data na Kiwify: 27/11/2026, 11:53',
    ],
    [
      'DeliveriesRefused',
      {
        count: 3,
        causes: [
          { endpoint: 'approved', reason: 'signature', count: 2 },
          { endpoint: 'refunded', reason: 'no_token', count: 1 },
        ],
        addresses: [{ address: '203.0.113.7', count: 3 }],
        lastAcceptedAt: '2026-11-24T18:03:11.000Z',
      },
      'Prosa recusou 3 avisos da Kiwify (2 de aprovações: a assinatura não confere, 1 de reembolsos: nenhum token configurado); vieram de 203.0.113.7 (3); o último aceito chegou em 24/11/2026, 15:03; o que fazer: compare o token do webhook na Kiwify com o do Prosa e, depois, reenvie os avisos pela Kiwify',
    ],
    [
      'DeliveriesRefused',
      {
        count: 1,
        causes: [{ endpoint: 'approved', reason: 'too_large', count: 1 }],
        addresses: [],
        lastAcceptedAt: null,
      },
      'Prosa recusou 1 aviso da Kiwify (1 de aprovações: conteúdo grande demais); vieram de [apagado]; nenhum foi aceito até então; o que fazer: nada, se não são da Kiwify',
    ],
    [
      'ErasedBuyerCharged',
      { orderRef: 'ABC1234', subscriptionId: 's', amountCents: 9700 },
      'Cobrança de quem foi apagado: o pedido ABC1234 (R$ 97,00) foi pago; cancele a assinatura e devolva o valor na Kiwify',
    ],
    [
      'ErasedBuyerCharged',
      { orderRef: null, subscriptionId: null, amountCents: null },
      'Cobrança de quem foi apagado: o pedido ABC1234 foi pago; devolva o valor na Kiwify',
    ],
    [
      'AccessGranted',
      { orderId: 'o', endsAt: '2027-01-12T02:59:00.000Z' },
      'O pedido ABC1234 vale: acesso até 11/01/2027',
    ],
    [
      'AccessRevoked',
      { orderId: 'o', cause: 'refund', endsAt: null },
      'O pedido ABC1234 deixou de valer (reembolso): sem acesso',
    ],
    ['ConversationAccepted', { attendantId: 'b' }, 'Bia Lima aceitou a conversa'],
    ['LineChosen', { attendantId: 'b', connectionId: 'c' }, 'Bia Lima escolheu responder por “Loja”'],
    ['TrialStarted', { endsAt: '2026-12-01T12:00:00.000Z' }, 'Período de teste até 01/12/2026'],
    [
      'ConnectionRefused',
      { code: 403 },
      'O WhatsApp recusou a conexão “Loja” (código 403): O WhatsApp bloqueou este número',
    ],
  ])('of %s', (type, data, text) => expect(inWords(type, data).text).toBe(text))

  it('name each field of a plan that changed', () => {
    const before = { planName: 'Pro', price: 'Consulte', description: '', purchaseUrl: null, accessDays: 30 }
    const { text, differences } = inWords('PlanRevised', { ...before, price: 'R$ 97,00', description: 'Novo', before })
    expect([text, differences]).toEqual([
      'O plano “Pro” foi alterado',
      [
        { label: 'Preço', before: 'Consulte', after: 'R$ 97,00' },
        { label: 'Descrição', before: '—', after: 'Novo' },
      ],
    ])
  })

  it('put what an event changed beside what was before', () =>
    expect(inWords('EmailChanged', { formerEmail: 'a@x.com', email: 'b@x.com' }).differences).toEqual([
      { label: 'E-mail', before: 'a@x.com', after: 'b@x.com' },
    ]))
})
