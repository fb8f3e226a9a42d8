import { parseStream } from '@prosa/contracts/streams'
import { saoPauloMonth } from '@prosa/contracts/values/sao-paulo'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { endAfterRevocation } from '../account/fold-access.ts'
import { type Grant, type UsageRow, usageTable } from './table.ts'

const ofSubscription = ({ stream }: Stored) => parseStream(stream).id
/** Events of connections and chats carry their tenant; those that have none concern nobody. */
const ofTenant = ({ metadata }: Stored) => metadata.owner ?? ''

const before = (row: UsageRow | undefined, id: string): UsageRow =>
  row ?? {
    id,
    endsAt: null,
    hasGrace: true,
    isTrialWithheld: false,
    grants: {},
    sentSince: '',
    sent: 0,
    connections: 0,
  }

const withGrant = (row: UsageRow, orderId: string, grant: Grant): UsageRow => ({
  ...row,
  grants: { ...row.grants, [orderId]: grant },
})

/** One row per account: until when it has access, what it paid for, and how much of it is used. */
export const usage: Projection<UsageRow> = {
  name: 'usage',
  version: 4,
  categories: ['subscription', 'connection', 'chat'],
  table: usageTable,
  passingMs: 250,
  on: {
    TrialStarted: {
      key: ofSubscription,
      row: (row, event) => {
        const known = before(row, ofSubscription(event))
        const { endsAt } = event.data
        return known.endsAt !== null && known.endsAt > endsAt ? known : { ...known, endsAt, hasGrace: true }
      },
    },
    TrialWithheld: {
      key: ofSubscription,
      row: (row, event) => {
        const { at, endsAt } = event.data
        const known = before(row, ofSubscription(event))
        // What was paid or given counts on.
        if (endsAt !== null && endsAt > at) return { ...known, endsAt }
        return { ...known, endsAt: endsAt ?? at, hasGrace: false, isTrialWithheld: true }
      },
    },
    AccessGranted: {
      key: ofSubscription,
      row: (row, event) => {
        const { orderId, productId, until, endsAt } = event.data
        const granted = withGrant(before(row, ofSubscription(event)), orderId, { until, productId })
        // What was taken away stays ended by a payment for a time that has passed.
        if (!granted.hasGrace && (endsAt === null || endsAt <= event.metadata.recordedAt)) return granted
        return { ...granted, endsAt, hasGrace: true, isTrialWithheld: false }
      },
    },
    AccessRevoked: {
      key: ofSubscription,
      row: (row, event) => {
        const { orderId } = event.data
        const revoked = withGrant(before(row, ofSubscription(event)), orderId, { until: null, productId: null })
        // An order that the end did not depend on takes no grace from it.
        if (revoked.endsAt !== null && revoked.endsAt === event.data.endsAt) return revoked
        const endsAt = endAfterRevocation(revoked.endsAt, event)
        return { ...revoked, endsAt, hasGrace: endsAt > event.metadata.recordedAt }
      },
    },
    AccessSet: {
      key: ofSubscription,
      row: (row, event) => {
        const { endsAt, status } = event.data
        return { ...before(row, ofSubscription(event)), endsAt, hasGrace: status !== 'expired', isTrialWithheld: false }
      },
    },
    // What time has ended changes no row. Handled all the same: whoever is notified of it waits for this read model.
    TrialEnded: { key: ofSubscription, row: (row) => row },
    AccessEnded: { key: ofSubscription, row: (row) => row },
    RenewalCancelled: { key: ofSubscription, row: (row) => row },
    SubscriberErased: { key: ofSubscription, row: () => undefined },
    /** A message counts when it is sent from Prosa for the first time, whether it arrives or not: one that was refused, when it is tried again. */
    MessageQueued: {
      key: ofTenant,
      row: (row, event) => {
        const { owner, recordedAt } = event.metadata
        const { isRetry, isRefused, wasRefused } = event.data
        if (owner === null || isRefused || (isRetry && !wasRefused)) return row
        const known = before(row, owner)
        const { from } = saoPauloMonth(recordedAt)
        // The clock of another process may be a moment behind at the turn of a month.
        if (from <= known.sentSince) return { ...known, sent: known.sent + 1 }
        return { ...known, sentSince: from, sent: 1 }
      },
    },
    ConnectionAdded: {
      key: ofTenant,
      row: (row, { metadata: { owner } }) => {
        if (owner === null) return row
        const known = before(row, owner)
        return { ...known, connections: known.connections + 1 }
      },
    },
    ConnectionRemoved: {
      key: ofTenant,
      row: (row) => row && { ...row, connections: row.connections - 1 },
    },
  },
}
