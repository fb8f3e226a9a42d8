import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { orderEventKinds, transactionStatusOf } from '@prosa/contracts/values/kiwify'
import { foldBatch } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactions } from './projection.ts'
import type { TransactionRow } from './table.ts'

type OrderReported = Extract<AnyEvent, { type: 'OrderReported' }>

const ana = idOf('ana')
const stored = (event: AnyEvent): Stored =>
  ({
    ...event,
    id: '',
    stream: 'order-one',
    revision: 0n,
    position: '1' as Position,
    metadata: {
      causationId: '',
      correlationId: '',
      actor: { kind: 'system', id: 'test' },
      tenant: null,
      schemaVersion: 1,
      recordedAt: at(0),
    },
  }) as Stored
const rowAfter = (events: readonly AnyEvent[]): TransactionRow | undefined =>
  foldBatch(transactions, new Map(), events.map(stored)).get('one')

const reported = (data: Partial<OrderReported['data']>): OrderReported => ({
  type: 'OrderReported',
  data: {
    deliveryId: 'd',
    kind: 'order_approved',
    orderRef: 'ABC1234',
    subscriptionId: null,
    productId: null,
    productName: 'Prosa Profissional',
    amountCents: 9700,
    paymentMethod: 'pix',
    occurredAt: at(0),
    accessUntil: null,
    accessDays: 30,
    token: null,
    buyerKey: null,
    buyerName: 'Ana Conceição',
    buyerEmail: 'ana@example.com',
    buyerDocument: null,
    ...data,
  },
})
const assigned: AnyEvent = { type: 'OrderAssigned', data: { userId: ana, by: 'email' } }
const hidden: AnyEvent = { type: 'OrderHidden', data: {} }
const erased: AnyEvent = { type: 'OrderBuyerErased', data: {} }

const asStored = (events: readonly AnyEvent[]): AnyEvent[] =>
  events.map((event, index) =>
    event.type === 'OrderReported' && events.slice(0, index).includes(erased)
      ? reported({ ...event.data, buyerName: null, buyerEmail: null })
      : event,
  )

const report = fc
  .record({
    kind: fc.constantFrom(...orderEventKinds),
    orderRef: fc.constantFrom('ABC1234', null),
    amountCents: fc.constantFrom(9700, 9900, null),
    productName: fc.constantFrom('Prosa Profissional', 'Prosa', null),
    paymentMethod: fc.constantFrom('pix', null),
    buyerName: fc.constantFrom('Ana', 'Ana Lima', null),
    buyerEmail: fc.constantFrom('ana@example.com', null),
    occurredAt: fc.integer({ min: 0, max: 3 }).map(at),
  })
  .map(reported)

describe('a transaction', () => {
  it('is a function of the set of what was reported, in whatever order and however often it comes', () => {
    const cases = fc.record({
      reports: fc.array(report, { minLength: 1, maxLength: 7 }),
      decided: fc.subarray([assigned, hidden, erased]),
      repeats: fc.array(fc.nat(6), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(
        cases.chain(({ reports, decided, repeats }) => {
          const again = repeats.flatMap((index) => reports[index] ?? [])
          const all = [...reports, ...decided]
          return fc.record({
            all: fc.constant(all),
            shuffled: fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
          })
        }),
        ({ all, shuffled }) => {
          const first = shuffled.findIndex(({ type }) => type === 'OrderReported')
          const [report] = shuffled.splice(first, 1)
          if (!report) return
          expect(rowAfter(asStored([report, ...shuffled]))).toEqual(rowAfter(asStored(all)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is named after what counts most, and believes the payment about its amount', () => {
    const row = rowAfter([
      reported({ kind: 'pix_created', amountCents: 9900, occurredAt: at(1) }),
      reported({ kind: 'order_refunded', amountCents: null, orderRef: null, occurredAt: at(9) }),
      reported({ kind: 'order_approved', occurredAt: at(5) }),
    ])
    expect(row).toMatchObject({
      transactionId: 'ABC1234',
      createdAt: at(1),
      event: 'compra_reembolsada',
      status: 'refunded',
      amountCents: 9700,
      tenant: null,
      search: 'abc1234\none\nprosa profissional\nana conceicao\nana@example.com',
    })
  })

  it('of a renewal is one, although Kiwify reports two things', () =>
    expect(rowAfter([reported({ kind: 'order_approved' }), reported({ kind: 'subscription_renewed' })])).toMatchObject({
      event: 'subscription_renewed',
      status: 'approved',
    }))

  it('forgets its buyer, and is not found by their name, once that was erased', () => {
    const row = rowAfter([reported({}), assigned, erased])
    expect(row).toMatchObject({ tenant: ana, amountCents: 9700, buyerName: '[apagado]', buyerEmail: '[apagado]' })
    expect(JSON.stringify(row)).not.toMatch(/conceic|ana@/i)
  })
})

it.each([
  [['pix_created'], 'pending'],
  [['billet_created', 'order_approved'], 'approved'],
  [['order_rejected', 'subscription_late'], 'declined'],
  [['order_rejected', 'subscription_renewed'], 'approved'],
  [['order_refunded', 'order_approved'], 'refunded'],
  [['chargeback', 'subscription_renewed'], 'refunded'],
  [['subscription_canceled'], 'pending'],
] as const)('%j is %s', (kinds, status) => expect(transactionStatusOf(kinds)).toBe(status))

it('marks a charge of somebody who had been erased, whatever is reported before and after', () => {
  const charged: AnyEvent = {
    type: 'ErasedBuyerCharged',
    data: { orderRef: 'ABC1234', subscriptionId: null, amountCents: 9700 },
  }
  const marks = (...events: AnyEvent[]) => rowAfter(events)?.isErasedBuyerCharged
  expect(marks(reported({}))).toBe(false)
  expect(marks(reported({}), erased)).toBe(false)
  expect(marks(reported({}), charged, erased)).toBe(true)
  expect(marks(reported({}), charged, erased, reported({ kind: 'order_refunded' }), assigned, hidden)).toBe(true)
})
