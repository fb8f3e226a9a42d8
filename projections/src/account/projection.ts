import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '../runner/projection.ts'
import { type AccountRow, accountTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** One row per user: who it is, what it may do, and until when the subscription lasts. */
export const account: Projection<AccountRow> = {
  name: 'account',
  version: 2,
  categories: ['user', 'subscription'],
  table: accountTable,
  on: {
    UserRegistered: {
      key,
      row: (_, { stream, data: { firstName, lastName, email }, metadata }) => ({
        id: parseStream(stream).id,
        firstName,
        lastName,
        email,
        createdAt: metadata.recordedAt,
        subscriptionStatus: 'active',
        subscriptionEnd: null,
        roles: [],
      }),
    },
    UserRenamed: { key, row: (row, { data: { firstName, lastName } }) => row && { ...row, firstName, lastName } },
    EmailChanged: { key, row: (row, { data: { email } }) => row && { ...row, email } },
    RoleGranted: { key, row: (row, { data: { role } }) => row && { ...row, roles: [...row.roles, role] } },
    RoleRevoked: {
      key,
      row: (row, { data: { role } }) => row && { ...row, roles: row.roles.filter((held) => held !== role) },
    },
    UserErased: { key, row: () => undefined },
    TrialStarted: {
      key,
      row: (row, { data }) => row && { ...row, subscriptionStatus: 'active', subscriptionEnd: data.endsAt },
    },
  },
}
