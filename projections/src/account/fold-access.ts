import { parseStream } from '@prosa/contracts/streams'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Role } from '@prosa/contracts/values/role'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

export interface AccessColumns {
  roles: readonly Role[]
  subscriptionStatus: SubscriptionStatus
  subscriptionEnd: string | null
  /** The trial or its extension gives access, nothing was paid. Null in older rows. */
  isTrial: boolean | null
}

/** Revocation ends access at once, unless other access remains. */
export const endAfterRevocation = (
  formerEnd: string | null,
  { data: { endsAt }, metadata: { recordedAt } }: StoredOf<'AccessRevoked'>,
): string => {
  if (endsAt !== null && endsAt > recordedAt) return endsAt
  return formerEnd !== null && formerEnd < recordedAt ? formerEnd : recordedAt
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Both streams have the account's id. */
export const foldAccess = <Row extends AccessColumns>() =>
  ({
    RoleGranted: { key, row: (row, { data: { role } }) => row && { ...row, roles: [...row.roles, role] } },
    RoleRevoked: {
      key,
      row: (row, { data: { role } }) => row && { ...row, roles: row.roles.filter((held) => held !== role) },
    },
    UserErased: { key, row: () => undefined },
    // An order applied before the trial may last longer.
    TrialStarted: {
      key,
      row: (row, { data }) =>
        row && row.subscriptionEnd !== null && row.subscriptionEnd > data.endsAt
          ? row
          : row && { ...row, subscriptionStatus: 'active', subscriptionEnd: data.endsAt, isTrial: true },
    },
    TrialWithheld: {
      key,
      row: (row, { data }) =>
        row && {
          ...row,
          subscriptionStatus: data.status,
          subscriptionEnd: data.endsAt ?? data.at,
          isTrial: data.by === 'decision' && row.isTrial,
        },
    },
    AccessGranted: {
      key,
      row: (row, { data }) =>
        row && {
          ...row,
          subscriptionStatus: data.status,
          subscriptionEnd: data.endsAt,
          isTrial: data.by === 'trial',
        },
    },
    AccessRevoked: {
      key,
      row: (row, event) => {
        if (!row) return undefined
        const { status, by } = event.data
        const subscriptionEnd = endAfterRevocation(row.subscriptionEnd, event)
        const isOver = subscriptionEnd <= event.metadata.recordedAt
        return {
          ...row,
          subscriptionStatus: isOver ? 'expired' : status,
          subscriptionEnd,
          isTrial: by === 'trial' && !isOver,
        }
      },
    },
    AccessSet: {
      key,
      row: (row, { data }) => row && { ...row, subscriptionStatus: data.status, subscriptionEnd: data.endsAt },
    },
    RenewalCancelled: { key, row: (row, { data }) => row && { ...row, subscriptionStatus: data.status } },
    // No row changes, but clients wait for this position.
    LimitWarned: { key, row: (row) => row },
    TrialEnded: { key, row: (row) => row && { ...row, subscriptionStatus: 'expired' } },
    AccessEnded: { key, row: (row) => row && { ...row, subscriptionStatus: 'expired' } },
  }) satisfies Projection<Row>['on']
