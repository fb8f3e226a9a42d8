import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { type MediaRow, mediaTable } from './table.ts'

const key = ({ stream }: Stored) => parseStream(stream).id

const blank = ({ stream, metadata }: Stored): MediaRow => ({
  id: parseStream(stream).id,
  tenant: metadata.tenant,
  contactId: null,
  status: 'waiting',
  mediaType: null,
  bytes: null,
  sha256: null,
  reason: null,
})

/** Deleted on erasure. */
export const mediaFiles: Projection<MediaRow> = {
  name: 'media',
  version: 1,
  categories: ['media'],
  table: mediaTable,
  on: {
    MediaStored: {
      key,
      row: (_, event) => ({ ...blank(event), ...event.data, status: 'ready' }),
    },
    MediaUnavailable: {
      key,
      row: (_, event) => ({ ...blank(event), ...event.data, status: 'unavailable' }),
    },
    MediaAskedAgain: {
      key,
      row: (_, event) => ({ ...blank(event), ...event.data, status: 'waiting' }),
    },
    MediaErased: { key, row: () => undefined },
  },
}
