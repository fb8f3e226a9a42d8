import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { shardOf } from './shard.ts'

interface Counted {
  status: SubscriptionStatus
  endsAt: Instant | null
  /** By time or revocation. */
  hasEnded: boolean
}

export interface UserTotalsRow {
  shard: string
  users: Readonly<Record<string, Counted>>
  total: number
  active: number
  expired: number
}

const idOf = ({ stream }: { stream: string }) => parseStream(stream).id
const key = (event: { stream: string }) => shardOf(idOf(event))

const rowOf = (shard: string, users: UserTotalsRow['users']): UserTotalsRow => {
  const all = Object.values(users)
  const expired = all.filter(({ status, hasEnded }) => hasEnded || status === 'expired').length
  const active = all.filter(({ status, hasEnded }) => !hasEnded && status === 'active').length
  return { shard, users, total: all.length, active, expired }
}

type About = { stream: string }

const changed = <E extends About>(change: (user: Counted, event: E) => Counted) => ({
  key,
  row: (row: UserTotalsRow | undefined, event: E): UserTotalsRow | undefined => {
    const user = row?.users[idOf(event)]
    return row && user ? rowOf(row.shard, { ...row.users, [idOf(event)]: change(user, event) }) : row
  },
})

type Moved = About & {
  data: { endsAt: Instant | null; status: SubscriptionStatus }
  metadata: { recordedAt: Instant }
}

/** Repeated reports do not restart ended access. */
const moved = changed<Moved>((user, { data: { endsAt, status }, metadata: { recordedAt } }) => ({
  status,
  endsAt,
  hasEnded: endsAt === null || endsAt <= recordedAt || (user.hasEnded && user.endsAt === endsAt),
}))
const ended = changed((user) => ({ ...user, hasEnded: true }))

export const userTotals: Projection<UserTotalsRow> = {
  name: 'user-totals',
  version: 2,
  categories: ['user', 'subscription'],
  table: {
    name: 'user_totals',
    key: 'shard',
    columns: {
      shard: 'text collate "C"',
      users: 'jsonb not null',
      total: 'int not null',
      active: 'int not null',
      expired: 'int not null',
    },
  },
  on: {
    UserRegistered: {
      key,
      row: (row, event) =>
        rowOf(key(event), {
          ...row?.users,
          [idOf(event)]: { status: 'active', endsAt: null, hasEnded: false },
        }),
    },
    UserErased: {
      key,
      row: (row, event) => {
        if (!row) return undefined
        const { [idOf(event)]: _, ...users } = row.users
        return rowOf(row.shard, users)
      },
    },
    TrialStarted: changed<About & { data: { endsAt: Instant } }>((user, { data }) => ({
      ...user,
      // An order applied before the trial may last longer.
      endsAt: user.endsAt !== null && user.endsAt > data.endsAt ? user.endsAt : data.endsAt,
    })),
    TrialWithheld: moved,
    AccessGranted: moved,
    AccessRevoked: moved,
    AccessSet: changed<Moved>((_, { data: { endsAt, status } }) => ({
      status,
      endsAt,
      hasEnded: status === 'expired',
    })),
    RenewalCancelled: changed<About & { data: { status: SubscriptionStatus } }>((user, { data }) => ({
      ...user,
      status: data.status,
    })),
    TrialEnded: ended,
    AccessEnded: ended,
  },
}
