import { parseStream } from '@prosa/contracts/streams'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { endAfterRevocation } from '../account/fold-access.ts'
import { type Grant, type UsageRow, usageTable } from './table.ts'

const ofSubscription = ({ stream }: Stored) => parseStream(stream).id
/** Events without a tenant concern nobody. */
const ofTenant = ({ metadata }: Stored) => metadata.tenant ?? ''

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

export const usage: Projection<UsageRow> = {
  name: 'usage',
  version: 4,
  categories: ['subscription', 'connection', 'chat'],
  table: usageTable,
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
        // Other access continues.
        if (endsAt !== null && endsAt > at) return { ...known, endsAt }
        return { ...known, endsAt: endsAt ?? at, hasGrace: false, isTrialWithheld: true }
      },
    },
    AccessGranted: {
      key: ofSubscription,
      row: (row, event) => {
        const { orderId, productId, until, endsAt } = event.data
        const granted = withGrant(before(row, ofSubscription(event)), orderId, { until, productId })
        // A payment for the past does not restore removed access.
        if (!granted.hasGrace && (endsAt === null || endsAt <= event.metadata.recordedAt)) return granted
        return { ...granted, endsAt, hasGrace: true, isTrialWithheld: false }
      },
    },
    AccessRevoked: {
      key: ofSubscription,
      row: (row, event) => {
        const { orderId } = event.data
        const revoked = withGrant(before(row, ofSubscription(event)), orderId, { until: null, productId: null })
        // Another order determined the end: grace stays.
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
    // No row changes, but clients wait for this position.
    TrialEnded: { key: ofSubscription, row: (row) => row },
    AccessEnded: { key: ofSubscription, row: (row) => row },
    RenewalCancelled: { key: ofSubscription, row: (row) => row },
    LimitWarned: { key: ofSubscription, row: (row) => row },
    SubscriberErased: { key: ofSubscription, row: () => undefined },
    /** Counts first sendings, delivered or not; a refused one counts when retried. */
    MessageQueued: {
      key: ofTenant,
      row: (row, event) => {
        const { tenant, recordedAt } = event.metadata
        const { isRetry, isRefused, wasRefused } = event.data
        if (tenant === null || isRefused || (isRetry && !wasRefused)) return row
        const known = before(row, tenant)
        const { from } = saoPauloMonth(recordedAt)
        // Another process's clock may lag at the turn of a month.
        if (from <= known.sentSince) return { ...known, sent: known.sent + 1 }
        return { ...known, sentSince: from, sent: 1 }
      },
    },
    ConnectionAdded: {
      key: ofTenant,
      row: (row, { metadata: { tenant } }) => {
        if (tenant === null) return row
        const known = before(row, tenant)
        return { ...known, connections: known.connections + 1 }
      },
    },
    ConnectionRemoved: {
      key: ofTenant,
      row: (row) => row && { ...row, connections: row.connections - 1 },
    },
  },
}
