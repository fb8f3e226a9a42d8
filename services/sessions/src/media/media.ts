import type { EventOf } from '@prosa/contracts/events/all-events'
import type { mediaEvents } from '@prosa/contracts/events/sessions'
import type { Decider } from '@prosa/kernel/domain/decider'

export type MediaEvent = EventOf<typeof mediaEvents>
type DataOf<T extends MediaEvent['type']> = Extract<MediaEvent, { type: T }>['data']

export type MediaProblem = DataOf<'MediaUnavailable'>['reason']

export type MediaCommand =
  | { type: 'StoreMedia'; data: DataOf<'MediaStored'> }
  | { type: 'GiveMedia'; data: { contactId: string } }
  | { type: 'GiveUpMedia'; data: DataOf<'MediaUnavailable'> }
  | { type: 'AskMediaAgain'; data: Record<string, never> }
  | { type: 'EraseMedia'; data: Record<string, never> }
  | { type: 'EraseUnsentMedia'; data: Record<string, never> }

export type MediaState =
  | { status: 'absent' }
  | { status: 'stored'; file: DataOf<'MediaStored'> }
  | { status: 'unavailable' | 'asked'; contactId: string }
  | { status: 'erased' }

export type MediaRefusal = 'media_not_found' | 'media_already_sent'

/** Erased is final: a fetch under way has no effect afterwards. */
export const media: Decider<MediaCommand, MediaEvent, MediaState, MediaRefusal> = {
  initial: { status: 'absent' },
  decide: {
    StoreMedia: ({ status }, data) => {
      if (status === 'erased') return { rejected: 'media_not_found' }
      if (status === 'stored') return []
      return [{ type: 'MediaStored', data }]
    },
    GiveMedia: (state, { contactId }) => {
      if (state.status !== 'stored') return { rejected: 'media_not_found' }
      if (state.file.contactId === contactId) return []
      if (state.file.contactId !== null) return { rejected: 'media_already_sent' }
      return [{ type: 'MediaStored', data: { ...state.file, contactId } }]
    },
    GiveUpMedia: ({ status }, data) => {
      if (status === 'erased') return { rejected: 'media_not_found' }
      if (status === 'stored' || status === 'unavailable') return []
      return [{ type: 'MediaUnavailable', data }]
    },
    AskMediaAgain: (state) => {
      if (state.status === 'absent' || state.status === 'erased') return { rejected: 'media_not_found' }
      if (state.status !== 'unavailable') return []
      return [{ type: 'MediaAskedAgain', data: { contactId: state.contactId } }]
    },
    EraseMedia: ({ status }) => (status === 'erased' ? [] : [{ type: 'MediaErased', data: {} }]),
    EraseUnsentMedia: (state) => {
      if (state.status !== 'stored' || state.file.contactId !== null) return []
      return [{ type: 'MediaErased', data: {} }]
    },
  },
  evolve: {
    MediaStored: (_, file) => ({ status: 'stored', file }),
    MediaUnavailable: (_, { contactId }) => ({ status: 'unavailable', contactId }),
    MediaAskedAgain: (_, { contactId }) => ({ status: 'asked', contactId }),
    MediaErased: () => ({ status: 'erased' }),
  },
}
