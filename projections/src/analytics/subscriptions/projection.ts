import type { PublishedSubscription } from '@prosa/contracts/published/tables/subscriptions'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Handler, Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Shown } from '../analytic-table.ts'
import { type EndReason, type PeriodKind, type PeriodRow, periodTable } from './table.ts'

type Row = PeriodRow | undefined
/** What an event makes of access. Undefined: nothing. */
type Effect =
  | { to: 'ended'; reason: EndReason; at: Instant }
  | { to: 'access'; kind: PeriodKind; endsAt: Instant; reason: EndReason; change?: Partial<PeriodRow> }

/** The stream has the account's id. */
const key = ({ stream }: Stored) => parseStream(stream).id
const keyOfEarlier = (event: Stored) => `${key(event)} ${event.position}`

const isOpen = (row: Row): row is PeriodRow => row !== undefined && row.endedAt === null

const changed = (row: PeriodRow, { position, metadata }: Stored, change: Partial<PeriodRow>): PeriodRow => ({
  ...row,
  ...change,
  position,
  updatedAt: metadata.recordedAt,
})

type Access = Extract<Effect, { to: 'access' }>

/** Set where a new period begins. */
const beginning = (row: Row, effect: Effect | undefined): Access | undefined =>
  effect?.to === 'access' && (!isOpen(row) || row.kind !== effect.kind) ? effect : undefined

const begun = (row: Row, event: Stored, { kind, endsAt, change }: Access): PeriodRow => ({
  key: key(event),
  tenant: key(event),
  position: event.position,
  updatedAt: event.metadata.recordedAt,
  periodId: event.id,
  number: (row?.number ?? 0) + 1,
  kind,
  startedAt: event.metadata.recordedAt,
  endsAt,
  endedAt: null,
  endReason: null,
  productId: null,
  payments: 0,
  cancelledAt: null,
  ...change,
})

/** A period that another one follows stays as a row of its own. */
const changing = <E extends Stored>(effectOf: (row: Row, event: E) => Effect | undefined): Handler<PeriodRow, E>[] => [
  {
    key: keyOfEarlier,
    beside: key,
    row: (_, event, row) => {
      const next = beginning(row, effectOf(row, event))
      if (!row || !next) return undefined
      const end = isOpen(row) ? { endedAt: event.metadata.recordedAt, endReason: next.reason } : {}
      return { ...changed(row, event, end), key: keyOfEarlier(event) }
    },
  },
  {
    key,
    row: (row, event) => {
      const effect = effectOf(row, event)
      if (!effect) return row
      const next = beginning(row, effect)
      if (next) return begun(row, event, next)
      if (!isOpen(row)) return row
      if (effect.to === 'ended') return changed(row, event, { endedAt: effect.at, endReason: effect.reason })
      return changed(row, event, { endsAt: effect.endsAt, ...effect.change })
    },
  },
]

type By = 'trial' | 'order' | 'decision' | undefined
/** Events before 2026-11-25 do not say it: an order then. */
const kindOf = (by: By, otherwise: PeriodKind): PeriodKind => {
  if (by === undefined) return otherwise
  return by === 'trial' ? 'trial' : by === 'decision' ? 'granted' : 'paid'
}

const granted = (row: Row, event: StoredOf<'AccessGranted'>): Effect | undefined => {
  const { endsAt, by, status, productId } = event.data
  const { recordedAt } = event.metadata
  if (endsAt === null || endsAt <= recordedAt) return undefined
  const kind = kindOf(by, 'paid')
  const payments = isOpen(row) && row.kind === kind ? row.payments + 1 : 1
  const isRenewed = status !== 'cancelled'
  const cancelledAt = isRenewed ? null : (isOpen(row) && row.cancelledAt) || recordedAt
  return { to: 'access', kind, endsAt, reason: 'converted', change: { payments, productId, cancelledAt } }
}

const revoked = (row: Row, event: StoredOf<'AccessRevoked'>): Effect | undefined => {
  const { endsAt, by, cause } = event.data
  const { recordedAt } = event.metadata
  if (!isOpen(row)) return undefined
  if (endsAt === null || endsAt <= recordedAt) return { to: 'ended', reason: cause, at: recordedAt }
  return { to: 'access', kind: kindOf(by, row.kind), endsAt, reason: cause }
}

const withheld = (_: Row, event: StoredOf<'TrialWithheld'>): Effect | undefined => {
  const { endsAt, at } = event.data
  return endsAt !== null && endsAt > at ? undefined : { to: 'ended', reason: 'withheld', at: event.metadata.recordedAt }
}

const decided = (row: Row, event: StoredOf<'AccessSet'>): Effect | undefined => {
  const { endsAt, status } = event.data
  const { recordedAt } = event.metadata
  if (status === 'expired' || endsAt <= recordedAt) return { to: 'ended', reason: 'removed', at: recordedAt }
  const cancelledAt = status === 'cancelled' ? (isOpen(row) && row.cancelledAt) || recordedAt : null
  return {
    to: 'access',
    kind: isOpen(row) ? row.kind : 'granted',
    endsAt,
    reason: 'converted',
    change: { cancelledAt },
  }
}

/** At the end that was known, which a timer records later. */
const expired = (row: Row, { metadata }: Stored): Effect => ({
  to: 'ended',
  reason: 'expired',
  at: row && row.endsAt < metadata.recordedAt ? row.endsAt : metadata.recordedAt,
})

/** A row a time with access. Stays after an account is erased: it names nobody, and a sum over all would change. */
export const analyticSubscriptions: Projection<PeriodRow> = {
  name: 'analytic-subscriptions',
  version: 1,
  categories: ['subscription'],
  table: periodTable,
  on: {
    // Who paid before has that already.
    TrialStarted: changing((row, { data }) =>
      isOpen(row) ? undefined : { to: 'access', kind: 'trial', endsAt: data.endsAt, reason: 'converted' },
    ),
    TrialWithheld: changing(withheld),
    TrialEnded: changing(expired),
    AccessEnded: changing(expired),
    AccessGranted: changing(granted),
    AccessRevoked: changing(revoked),
    AccessSet: changing(decided),
    RenewalCancelled: {
      key,
      row: (row, event) =>
        isOpen(row) && event.data.status === 'cancelled'
          ? changed(row, event, { cancelledAt: row.cancelledAt ?? event.metadata.recordedAt })
          : row,
    },
    SubscriberErased: changing((_, { metadata }) => ({ to: 'ended', reason: 'erased', at: metadata.recordedAt })),
  },
}

export const shownSubscription: Shown<PeriodRow, PublishedSubscription> = (row, { id }) => ({
  id: row.periodId,
  tenant: id('account', row.tenant),
  number: row.number,
  kind: row.kind,
  startedAt: row.startedAt,
  endsAt: row.endsAt,
  endedAt: row.endedAt,
  endReason: row.endReason,
  productId: row.productId,
  payments: row.payments,
  cancelledAt: row.cancelledAt,
  updatedAt: row.updatedAt,
})
