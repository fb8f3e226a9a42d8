import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '../runner/projection.ts'
import { type AccountRow, accountTable } from './table.ts'

/** One row per user: who it is, and until when the subscription lasts. */
export const account: Projection<AccountRow> = {
  name: 'account',
  version: 1,
  categories: ['user', 'subscription'],
  table: accountTable,
  on: {
    UserRegistered: {
      key: ({ stream }) => parseStream(stream).id,
      row: (_, { stream, data: { firstName, lastName, email }, metadata }) => ({
        id: parseStream(stream).id,
        firstName,
        lastName,
        email,
        createdAt: metadata.recordedAt,
        subscriptionStatus: 'active',
        subscriptionEnd: null,
      }),
    },
    TrialStarted: {
      key: ({ stream }) => parseStream(stream).id,
      row: (row, { data }) => row && { ...row, subscriptionStatus: 'active', subscriptionEnd: data.endsAt },
    },
  },
}
