import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Handler, Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { type EndReason, type PeriodKind, type PeriodRow, periodTable } from './table.ts'

type Row = PeriodRow | undefined
/** What an event makes of access. Undefined: nothing. */
type Turn =
  | { to: 'ended'; reason: EndReason; at: Instant }
  | { to: 'access'; kind: PeriodKind; endsAt: Instant; reason: EndReason; change?: Partial<PeriodRow> }

/** The stream has the account's id. */
const key = ({ stream }: Stored) => parseStream(stream).id
const keyOfEarlier = (event: Stored) => `${key(event)} ${event.position}`

const isOpen = (row: Row): row is PeriodRow => row !== undefined && row.endedAt === null

const changed = (row: PeriodRow, { position, metadata }: Stored, change: Partial<PeriodRow>): PeriodRow => ({
  ...row,
  ...change,
  place: position,
  updatedAt: metadata.recordedAt,
})

type Access = Extract<Turn, { to: 'access' }>

/** Set where a new period begins. */
const beginning = (row: Row, turn: Turn | undefined): Access | undefined =>
  turn?.to === 'access' && (!isOpen(row) || row.kind !== turn.kind) ? turn : undefined

const begun = (row: Row, event: Stored, { kind, endsAt, change }: Access): PeriodRow => ({
  key: key(event),
  owner: key(event),
  place: event.position,
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
const turning = <E extends Stored>(turnOf: (row: Row, event: E) => Turn | undefined): Handler<PeriodRow, E>[] => [
  {
    key: keyOfEarlier,
    beside: key,
    row: (_, event, row) => {
      const next = beginning(row, turnOf(row, event))
      if (!row || !next) return undefined
      const end = isOpen(row) ? { endedAt: event.metadata.recordedAt, endReason: next.reason } : {}
      return { ...changed(row, event, end), key: keyOfEarlier(event) }
    },
  },
  {
    key,
    row: (row, event) => {
      const turn = turnOf(row, event)
      if (!turn) return row
      const next = beginning(row, turn)
      if (next) return begun(row, event, next)
      if (!isOpen(row)) return row
      if (turn.to === 'ended') return changed(row, event, { endedAt: turn.at, endReason: turn.reason })
      return changed(row, event, { endsAt: turn.endsAt, ...turn.change })
    },
  },
]

type By = 'trial' | 'order' | 'decision' | undefined
/** Events before 2026-11-25 do not say it: an order then. */
const kindOf = (by: By, otherwise: PeriodKind): PeriodKind => {
  if (by === undefined) return otherwise
  return by === 'trial' ? 'trial' : by === 'decision' ? 'granted' : 'paid'
}

const granted = (row: Row, event: StoredOf<'AccessGranted'>): Turn | undefined => {
  const { endsAt, by, status, productId } = event.data
  const { recordedAt } = event.metadata
  if (endsAt === null || endsAt <= recordedAt) return undefined
  const kind = kindOf(by, 'paid')
  const payments = isOpen(row) && row.kind === kind ? row.payments + 1 : 1
  const isRenewed = status !== 'cancelled'
  const cancelledAt = isRenewed ? null : (isOpen(row) && row.cancelledAt) || recordedAt
  return { to: 'access', kind, endsAt, reason: 'converted', change: { payments, productId, cancelledAt } }
}

const revoked = (row: Row, event: StoredOf<'AccessRevoked'>): Turn | undefined => {
  const { endsAt, by, cause } = event.data
  const { recordedAt } = event.metadata
  if (!isOpen(row)) return undefined
  if (endsAt === null || endsAt <= recordedAt) return { to: 'ended', reason: cause, at: recordedAt }
  return { to: 'access', kind: kindOf(by, row.kind), endsAt, reason: cause }
}

const withheld = (_: Row, event: StoredOf<'TrialWithheld'>): Turn | undefined => {
  const { endsAt, at } = event.data
  return endsAt !== null && endsAt > at ? undefined : { to: 'ended', reason: 'withheld', at: event.metadata.recordedAt }
}

const decided = (row: Row, event: StoredOf<'AccessSet'>): Turn | undefined => {
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
const expired = (row: Row, { metadata }: Stored): Turn => ({
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
    TrialStarted: turning((row, { data }) =>
      isOpen(row) ? undefined : { to: 'access', kind: 'trial', endsAt: data.endsAt, reason: 'converted' },
    ),
    TrialWithheld: turning(withheld),
    TrialEnded: turning(expired),
    AccessEnded: turning(expired),
    AccessGranted: turning(granted),
    AccessRevoked: turning(revoked),
    AccessSet: turning(decided),
    RenewalCancelled: {
      key,
      row: (row, event) =>
        isOpen(row) && event.data.status === 'cancelled'
          ? changed(row, event, { cancelledAt: row.cancelledAt ?? event.metadata.recordedAt })
          : row,
    },
    SubscriberErased: turning((_, { metadata }) => ({ to: 'ended', reason: 'erased', at: metadata.recordedAt })),
  },
}
