import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readKiwifyBody } from './read-body.ts'

const sample = (name: string) => readFileSync(new URL(`samples/${name}.json`, import.meta.url))
const read = (body: unknown) => readKiwifyBody(Buffer.from(JSON.stringify(body)))
const approved = () => JSON.parse(sample('order-approved-card').toString())

describe('a body of Kiwify', () => {
  it('of a real purchase names the order, the money in cents, the period and the token of our link', () => {
    expect(readKiwifyBody(sample('order-approved-card'))).toEqual({
      state: 'order',
      report: {
        kind: 'order_approved',
        orderId: 'aaaaaaaa-d613-4cc6-80f9-f74882dbbc01',
        orderRef: 'aBcDeF1',
        subscriptionId: '11111111-8c7b-44bc-9282-2fa03c45b7db',
        productId: '6f1d2c30-0000-11f1-9238-450795acb5a2',
        productName: 'Atende Fácil - Plano Profissional',
        amountCents: 9700,
        paymentMethod: 'credit_card',
        createdAt: '2026-06-08T14:53:00.000Z',
        approvedAt: '2026-06-08T14:53:00.000Z',
        refundedAt: null,
        accessUntil: '2026-07-08T14:53:23.137Z',
        token: 'user-token-ficticio-aaa',
        buyer: { name: 'Ana Exemplo da Silva', email: 'ana.exemplo@example.com', document: '00000000001' },
      },
    })
  })

  it.each([
    ['pix-created', 'pix_created'],
    ['order-rejected', 'order_rejected'],
    ['order-refunded', 'order_refunded'],
  ])('of the test button (%s) changes nothing, and its event is known', (name, kind) =>
    expect(readKiwifyBody(sample(name))).toEqual({ state: 'ignored', reason: 'test_button', kind, emails: [] }),
  )

  it('reads an amount that is written as text, and refuses a fraction', () => {
    const withAmount = (charge_amount: unknown) => read({ ...approved(), Commissions: { charge_amount } })
    expect(withAmount('9700')).toMatchObject({ report: { amountCents: 9700 } })
    expect(withAmount(97.5)).toMatchObject({ state: 'unreadable', field: 'Commissions.charge_amount' })
    expect(withAmount('97,00')).toMatchObject({ state: 'unreadable', field: 'Commissions.charge_amount' })
    expect(withAmount(-1)).toMatchObject({ state: 'unreadable', field: 'Commissions.charge_amount' })
    expect(withAmount(null)).toMatchObject({ report: { amountCents: null } })
  })

  it('may lack its buyer, its product and its subscription', () => {
    const { Customer, Product, Subscription, subscription_id, ...rest } = approved()
    const nothing = { name: null, email: null, document: null }
    const report = { subscriptionId: null, productId: null, accessUntil: null, buyer: nothing }
    expect(read({ ...rest, Customer: null })).toMatchObject({ state: 'order', report })
  })

  it('without an order is unreadable, and says where', () =>
    expect(read({ ...approved(), order_id: '  ' })).toEqual({
      state: 'unreadable',
      field: 'order_id',
      emails: ['ana.exemplo@example.com'],
    }))

  it.each([
    ['an abandoned cart', { id: 'x', status: 'abandoned', email: 'ana@example.org' }, 'abandoned_cart'],
    ['a list', [{ status: 'abandoned' }], 'list'],
    ['the wrapped form', { signature: 'x', order: { order_id: 'x' } }, 'wrapped'],
    ['an event that nobody knows', { order_id: 'x', webhook_event_type: 'order_dreamt' }, 'unknown_event'],
    ['an object of another kind', {}, 'unknown_event'],
    ['a number', 7, 'not_an_object'],
    ['nothing', null, 'not_an_object'],
  ])('that is %s is kept without an effect', (_, body, reason) =>
    expect(read(body)).toMatchObject({ state: 'ignored', reason }),
  )

  it.each([
    ['at the top', { status: 'abandoned', email: ' Ana@Example.org ' }],
    ['in a list of carts', [{ status: 'abandoned', email: 'ana@example.org' }, 7, null]],
    ['in the wrapped form', { signature: 'x', order: { Customer: { email: 'ana@example.org' } } }],
    ['in an event that nobody knows', { webhook_event_type: 'dreamt', Buyer: { contact: ['ana@example.org'] } }],
    ['in a text alone', 'ana@example.org'],
    ['twice', { webhook_event_type: 'dreamt', email: 'ana@example.org', Customer: { email: 'ANA@example.org' } }],
  ])('names its buyer wherever that stands: %s', (_, body) =>
    expect(read(body)).toMatchObject({ state: 'ignored', emails: ['ana@example.org'] }),
  )

  it('names its buyer also where it is no JSON, and nobody who sells', () => {
    expect(readKiwifyBody(Buffer.from('{"Customer":{"email":"ana@example.org","CPF'))).toEqual({
      state: 'unreadable',
      field: null,
      emails: ['ana@example.org'],
    })
    const sold = { webhook_event_type: 'dreamt', Commissions: { commissioned_stores: [{ email: 'loja@example.org' }] } }
    expect(read(sold)).toMatchObject({ emails: [] })
    const many = Array.from({ length: 5000 }, (_, index) => ({ email: `pessoa${index}@example.org` }))
    expect(read(many)).toMatchObject({ reason: 'list', emails: { length: 100 } })
    expect(read({ email: `${'x'.repeat(400)}@example.org` })).toMatchObject({ emails: [] })
  })

  it.each(['', '{', '{"order_id":', '\u0000'])('that is no JSON (%j) is unreadable', (body) =>
    expect(readKiwifyBody(Buffer.from(body))).toEqual({ state: 'unreadable', field: null, emails: [] }),
  )

  it('that is no UTF-8 is unreadable', () =>
    expect(readKiwifyBody(Uint8Array.of(0x22, 0xff, 0xfe, 0x22))).toEqual({
      state: 'unreadable',
      field: null,
      emails: [],
    }))

  it('is understood or not, but never brings anything down, whatever it is', () => {
    fc.assert(fc.property(fc.json(), (json) => void readKiwifyBody(Buffer.from(json))))
    const odd = fc.oneof(
      fc.json().map((json) => JSON.parse(json) as unknown),
      fc.constant(undefined),
    )
    const fields = Object.keys(approved()).filter((field) => field !== 'webhook_event_type')
    fc.assert(
      fc.property(fc.constantFrom(...fields), odd, (field, value) => {
        expect(['order', 'unreadable', 'ignored']).toContain(read({ ...approved(), [field]: value }).state)
      }),
    )
    expect(readKiwifyBody(Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)))).toMatchObject({ reason: 'list' })
    expect(readKiwifyBody(Buffer.from(`${'{"order_id":'.repeat(20_000)}1${'}'.repeat(20_000)}`))).toBeDefined()
  })
})
