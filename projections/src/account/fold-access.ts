import { parseStream } from '@prosa/contracts/streams'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Role } from '@prosa/contracts/values/role'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'

/** What every row of an account holds of its rights and of its subscription. */
export interface AccessColumns {
  roles: readonly Role[]
  subscriptionStatus: SubscriptionStatus
  subscriptionEnd: string | null
  /** Nothing was paid yet; null in rows of a version that did not keep it. */
  isTrial: boolean | null
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** How the rows of accounts follow rights and subscriptions; streams of both are named after the account. */
export const foldAccess = <Row extends AccessColumns>() =>
  ({
    RoleGranted: { key, row: (row, { data: { role } }) => row && { ...row, roles: [...row.roles, role] } },
    RoleRevoked: {
      key,
      row: (row, { data: { role } }) => row && { ...row, roles: row.roles.filter((held) => held !== role) },
    },
    UserErased: { key, row: () => undefined },
    TrialStarted: {
      key,
      row: (row, { data }) =>
        row && { ...row, subscriptionStatus: 'active', subscriptionEnd: data.endsAt, isTrial: true },
    },
    AccessGranted: {
      key,
      row: (row, { data }) =>
        row && { ...row, subscriptionStatus: data.status, subscriptionEnd: data.endsAt, isTrial: false },
    },
    // Where nothing else gives access, it ended when the money went back.
    AccessRevoked: {
      key,
      row: (row, { data, metadata }) =>
        row && {
          ...row,
          subscriptionStatus: data.status,
          subscriptionEnd: data.endsAt ?? metadata.recordedAt,
          isTrial: false,
        },
    },
    AccessSet: {
      key,
      row: (row, { data }) => row && { ...row, subscriptionStatus: data.status, subscriptionEnd: data.endsAt },
    },
    RenewalCancelled: { key, row: (row, { data }) => row && { ...row, subscriptionStatus: data.status } },
    TrialEnded: { key, row: (row) => row && { ...row, subscriptionStatus: 'expired' } },
    AccessEnded: { key, row: (row) => row && { ...row, subscriptionStatus: 'expired' } },
  }) satisfies Projection<Row>['on']
