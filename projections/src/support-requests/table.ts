import type { SupportPriority } from '@prosa/contracts/values/support'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface SupportRequestRow {
  id: string
  tenant: string | null
  /** Log position: the order. */
  place: string
  subject: string
  message: string
  priority: SupportPriority
  createdAt: string
  answeredAt: string | null
}

export const supportRequestTable: Table<SupportRequestRow> = {
  name: 'support_request',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    place: 'text collate "C" not null',
    subject: 'text not null',
    message: 'text not null',
    priority: 'text not null',
    createdAt: 'text not null',
    answeredAt: 'text',
  },
  after: [
    'create index support_request_place on support_request (place desc)',
    'create index support_request_open on support_request (place desc) where answered_at is null',
    'create index support_request_owner on support_request (owner)',
  ],
}
