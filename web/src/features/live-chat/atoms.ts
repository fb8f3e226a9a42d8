import type { Message } from '@prosa/contracts/http/live-chat'
import { atom } from 'jotai'
import { atomWithReducer, atomWithStorage } from 'jotai/utils'
import type { UnsentRecording } from '../../components/voice/use-voice-recording.ts'
import { personalKey } from '../../lib/browser/personal-storage.ts'
import type { Attachment } from './composer/attachments/attachment.ts'
import { createAudioPlayer } from './conversation/bubble/audio-player.ts'
import { type ChangeEvent, changesAfter, type OwnChanges } from './conversation-state.ts'
import type { Outgoing } from './outbox/outgoing.ts'
import { outgoingStorage } from './outbox/outgoing-storage.ts'

/** Debounced. */
export const searchAtom = atom('')

export const cursorAtom = atom<string | null>(null)

/** For a bulk action. */
export const chosenAtom = atom<ReadonlySet<string> | null>(null)

export const labellingAtom = atom<readonly string[] | null>(null)

/** By contact id; stored in this browser. */
export const draftsAtom = atomWithStorage<Record<string, string>>(personalKey('drafts'), {}, undefined, {
  getOnInit: true,
})

/** Not in the history yet; what can be sent without this page outlives it. */
export const outgoingAtom = atomWithStorage<Outgoing[]>(personalKey('outgoing'), [], outgoingStorage(), {
  getOnInit: true,
})

/** Ids; each message is sent once at a time. */
export const underWayAtom = atom(() => new Set<string>())

/** The latest failure by contact id. */
export const unsentAtom = atom(
  (get) =>
    new Map(
      get(outgoingAtom)
        .filter(({ state }) => state === 'failed')
        .map(({ contactId, content }) => [contactId, content || 'arquivo']),
    ),
)

export interface Upload {
  file: Blob
  /** Object URL. */
  address: string
  /** 0 to 1; null before the first byte and after the last. */
  share: number | null
  cancel: (() => void) | null
}

/** In memory only: browsers keep no chosen file across a reload. */
export const uploadsAtom = atom<Record<string, Upload>>({})

/**
 * Ids of disconnected connections in one string, for equality; 'all' while the internet or Prosa is unreachable or no number is connected.
 */
export const linesAwayAtom = atom('')

export const hasSeveralNumbersAtom = atom(false)

export const choosingLineAtom = atom<string | null>(null)

/** In memory only. */
export const unsentRecordingsAtom = atom<Record<string, UnsentRecording>>({})

export const attachmentsAtom = atom<Record<string, Attachment[]>>({})

export const quotingAtom = atom<Record<string, Message>>({})

export const messageCursorAtom = atom<string | null>(null)

export const audioPlayerAtom = atom(() => createAudioPlayer())

export const openTextsAtom = atom<ReadonlySet<string>>(new Set<string>())

/** Unsaved text of the details by contact id; `name` is absent while its form is closed. In memory only. */
export const detailsDraftsAtom = atom<Record<string, { name?: string | undefined; note?: string | undefined }>>({})

/** With its unsent text, by contact id. */
export const editingAtom = atom<Record<string, { message: Message; text: string }>>({})

export const ownChangesAtom = atomWithReducer<OwnChanges, ChangeEvent>({ reactions: {}, corrections: {} }, changesAfter)
