import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type SupportRequestRow, supportRequestTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Deleted with the account. */
export const supportRequests: Projection<SupportRequestRow> = {
  name: 'support-requests',
  version: 1,
  categories: ['supportRequest', 'user'],
  table: supportRequestTable,
  on: {
    SupportRequested: {
      key,
      row: (_, { stream, position, data, metadata: { tenant, recordedAt } }) => ({
        id: parseStream(stream).id,
        tenant,
        place: position,
        ...data,
        createdAt: recordedAt,
        answeredAt: null,
      }),
    },
    SupportRequestAnswered: {
      key,
      row: (row, { metadata }) => row && { ...row, answeredAt: metadata.recordedAt },
    },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
