import type { MessageMedia } from '@prosa/contracts/http/live-chat'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** As in `MediaUnavailable`. */
export type MediaProblem =
  | 'expired'
  | 'too_large'
  | 'wrong_type'
  | 'foreign_host'
  | 'damaged'
  | 'out_of_reach'
  | 'no_room'

/** A file without events has no row and counts as `waiting`. */
export interface MediaRow {
  id: string
  tenant: string | null
  /** Null before sending. */
  contactId: string | null
  /** `waiting`: requested again. */
  status: MessageMedia['status']
  /** Detected; null until stored. */
  mediaType: string | null
  bytes: number | null
  sha256: string | null
  reason: MediaProblem | null
}

export const mediaTable: Table<MediaRow> = {
  name: 'media',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    contactId: 'text collate "C"',
    status: 'text not null',
    mediaType: 'text',
    bytes: 'integer',
    sha256: 'text',
    reason: 'text',
  },
  after: ['create index media_contact on media (contact_id)', 'create index media_owner on media (owner)'],
}
