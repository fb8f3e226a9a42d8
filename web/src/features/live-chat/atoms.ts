import type { Message } from '@prosa/contracts/http/live-chat'
import { atom } from 'jotai'
import { atomWithStorage } from 'jotai/utils'
import type { KeptRecording } from '../../components/use-voice-recording.ts'
import { personalKey } from '../../lib/personal-storage.ts'
import type { Attachment } from './composer/attachments/attachment.ts'
import { createAudioPlayer } from './conversation/bubble/audio-player.ts'
import type { Outgoing } from './outbox/outgoing.ts'
import { outgoingStorage } from './outbox/outgoing-storage.ts'

/** What the list is filtered by, already at rest. */
export const searchAtom = atom('')

/** The row that the arrow keys stand on. */
export const cursorAtom = atom<string | null>(null)

/** The contacts that were chosen in the list, to do something with all of them; null while none are being chosen. */
export const chosenAtom = atom<ReadonlySet<string> | null>(null)

/** The contacts whose labels are being chosen; null while that is closed. */
export const labellingAtom = atom<readonly string[] | null>(null)

/** Unsent text by contact id; kept in this browser. */
export const draftsAtom = atomWithStorage<Record<string, string>>(personalKey('drafts'), {}, undefined, {
  getOnInit: true,
})

/** What was written here and is not in the history yet; what can be sent without this page outlives it. */
export const outgoingAtom = atomWithStorage<Outgoing[]>(personalKey('outgoing'), [], outgoingStorage(), {
  getOnInit: true,
})

/** The messages that are being sent in this page, by id: each once at a time. */
export const underWayAtom = atom(() => new Set<string>())

/** What could not be sent, by contact id: the latest of each. */
export const unsentAtom = atom(
  (get) =>
    new Map(
      get(outgoingAtom)
        .filter(({ state }) => state === 'failed')
        .map(({ contactId, content }) => [contactId, content || 'arquivo']),
    ),
)

/** A file that this page sends or has sent, by the id of its message. */
export interface Upload {
  file: Blob
  /** Where this browser shows the file meanwhile. */
  address: string
  /** 0 to 1; null before the first byte left and after the last. */
  share: number | null
  /** Gives it up; null when nothing is under way. */
  cancel: (() => void) | null
}

/** Only in memory: a browser keeps no file that was chosen over a reload. */
export const uploadsAtom = atom<Record<string, Upload>>({})

/** The ids of connections over which what is written now leaves later, in one text, so that the same are equal; 'all' while the internet or Prosa is away, or no number is connected. */
export const linesAwayAtom = atom('')

/** Whether the account has several numbers, so that each is to be named. */
export const hasSeveralNumbersAtom = atom(false)

/** The contact to whom another number of ours is to answer; null while none is being chosen. */
export const choosingLineAtom = atom<string | null>(null)

/** What was recorded for a contact when something else was opened, by contact id. Only in memory. */
export const keptRecordingsAtom = atom<Record<string, KeptRecording>>({})

/** Files that were attached and not sent, by contact id. */
export const attachmentsAtom = atom<Record<string, Attachment[]>>({})

/** The message that the next one answers, by contact id. */
export const quotingAtom = atom<Record<string, Message>>({})

/** The message that the keys in the history stand on. */
export const messageCursorAtom = atom<string | null>(null)

/** Reactions of ours that the history does not show yet, by message id; null takes one back. */
export const reactingAtom = atom<Record<string, string | null>>({})

/** The one player of voice messages and other sounds. */
export const audioPlayerAtom = atom(() => createAudioPlayer())

/** Long messages that are shown whole, by their ids. */
export const openTextsAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The message that is being edited, with its words as far as they are written, by contact id. */
export const editingAtom = atom<Record<string, { message: Message; text: string }>>({})

/** Edits and deletions of ours that the history does not show yet, by message id. */
export const correctingAtom = atom<Record<string, NonNullable<Message['correction']>>>({})
