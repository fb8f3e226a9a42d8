import type { MessageMedia } from '@prosa/contracts/http/live-chat'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Why a file could not be had, as in `MediaUnavailable`. */
export type MediaProblem =
  | 'expired'
  | 'too_large'
  | 'wrong_type'
  | 'foreign_host'
  | 'damaged'
  | 'out_of_reach'
  | 'no_room'

/** A file without an event yet has no row: it is `waiting`. */
export interface MediaRow {
  id: string
  owner: string | null
  /** Null while it was sent to nobody. */
  contactId: string | null
  /** `waiting`: it was asked for again. */
  status: MessageMedia['status']
  /** Found out from the bytes, with their number and fingerprint; null until they were here. */
  mediaType: string | null
  bytes: number | null
  sha256: string | null
  /** Null unless it is unavailable. */
  reason: MediaProblem | null
}

export const mediaTable: Table<MediaRow> = {
  name: 'media',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    contactId: 'text collate "C"',
    status: 'text not null',
    mediaType: 'text',
    bytes: 'integer',
    sha256: 'text',
    reason: 'text',
  },
  after: ['create index media_contact on media (contact_id)', 'create index media_owner on media (owner)'],
}
