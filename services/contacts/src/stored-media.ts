import type { EventOf } from '@prosa/contracts/events/all-events'
import type { mediaEvents } from '@prosa/contracts/events/sessions'
import type { Reader } from '@prosa/kernel/domain/decider'

export type StoredMedia =
  | { status: 'absent' | 'awaited' }
  /** `contactId` is null until the file is sent. */
  | { status: 'stored'; contactId: string | null; mediaType: string; bytes: number }

/** Folded from the sessions service's events. */
export const storedMedia: Reader<EventOf<typeof mediaEvents>, StoredMedia> = {
  initial: { status: 'absent' },
  evolve: {
    MediaStored: (_, { contactId, mediaType, bytes }) => ({ status: 'stored', contactId, mediaType, bytes }),
    MediaUnavailable: () => ({ status: 'absent' }),
    MediaAskedAgain: (state) => (state.status === 'stored' ? state : { status: 'awaited' }),
    MediaErased: () => ({ status: 'absent' }),
  },
}
