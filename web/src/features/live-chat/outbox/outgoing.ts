import type { Message } from '@prosa/contracts/http/live-chat'
import type { SendMessageBody } from '@prosa/contracts/http/messages'
import type { History } from '../history-page.ts'

/** How a file is to be shown to the contact. */
export type SendAs = NonNullable<SendMessageBody['media']>['as']

/** What is sent of a file along with its bytes. */
export interface OutgoingMedia {
  as: SendAs
  mediaType: string
  bytes: number
  fileName: string | null
  seconds: number | null
  width: number | null
  height: number | null
  /** Loudness of a voice message, 0 to 100, at most 64 values. */
  waveform: number[] | null
  /** A tiny JPEG, base64. */
  preview: string | null
  /** The id under which the server has the file; from then on a reload of the page loses nothing. */
  uploadedId: string | null
}

/** What is written to a contact: a text, or a file with a caption. */
export interface Writing {
  content: string
  quoted?: Message | null
  /** The bytes and what is sent of them. */
  file?: { bytes: Blob; media: OutgoingMedia }
}

/** A message written here that the history may not show yet. */
export interface Outgoing {
  id: string
  contactId: string
  /** The user who wrote it: whoever is signed in later neither sees nor sends it. */
  owner?: string | undefined
  /** The text, or the caption of the file. */
  content: string
  /** When Enter was pressed, ISO 8601. */
  writtenAt: string
  state: 'sending' | 'accepted' | 'failed'
  /** Why it was not accepted, in a sentence. */
  failure: string | null
  quoted?: Message['quoted']
  media?: OutgoingMedia | null
}

/** The picture that stands in, as the address of an image. */
export const previewAddress = (preview: string): string => `data:image/jpeg;base64,${preview}`

const kindOf = (as: SendAs): Message['kind'] => (as === 'voice' ? 'audio' : as)

const shownMedia = (id: string, media: OutgoingMedia): NonNullable<Message['media']> => {
  const { as, uploadedId, preview, ...described } = media
  return {
    ...described,
    id: uploadedId ?? id,
    status: 'ready',
    problem: null,
    voice: as === 'voice',
    preview: preview && previewAddress(preview),
  }
}

const asMessage = ({ id, contactId, content, writtenAt, state, failure, quoted, media }: Outgoing): Message => ({
  id,
  contactId,
  // The server chooses it when it takes the message.
  connectionId: null,
  content,
  kind: media ? kindOf(media.as) : 'text',
  sender: 'user',
  timestamp: writtenAt,
  status: state === 'failed' ? 'failed' : 'queued',
  failure,
  sentElsewhere: false,
  media: media ? shownMedia(id, media) : null,
  quoted: quoted ?? null,
  reactions: [],
  editedAt: null,
  original: null,
})

const mediaAgain = (message: Message): OutgoingMedia | null => {
  if (!message.media || message.kind === 'text' || message.kind === 'unsupported' || message.kind === 'deleted')
    return null
  const { id, mediaType, bytes, fileName, seconds, width, height, voice, waveform, preview } = message.media
  return {
    as: voice ? 'voice' : message.kind,
    ...{ mediaType, bytes, fileName, seconds, width, height, waveform },
    preview: preview?.split(',')[1] ?? null,
    uploadedId: id,
  }
}

/** A message that the history shows as failed, to be sent again under its own id. */
export const asOutgoing = (message: Message): Outgoing => ({
  id: message.id,
  contactId: message.contactId,
  content: message.content,
  writtenAt: message.timestamp,
  state: 'sending',
  failure: null,
  quoted: message.quoted,
  media: mediaAgain(message),
})

/**
 * The history with what is on its way behind it. The server's word wins, except that a failed message being sent again
 * shows as on its way.
 */
export const withOutgoing = (messages: Message[], outgoing: Outgoing[]): Message[] => {
  if (outgoing.length === 0) return messages
  const pending = new Map(outgoing.map((one) => [one.id, one]))
  const shown = messages.map((message) => {
    const again = pending.get(message.id)
    pending.delete(message.id)
    return again?.state === 'sending' && message.status === 'failed'
      ? { ...message, status: 'queued' as const, failure: null }
      : message
  })
  return [...shown, ...Array.from(pending.values(), asMessage)]
}

/**
 * What still has to be remembered once this much of a conversation is loaded. What the server accepted before the oldest of it
 * stands further up.
 */
export const stillOutgoing = (
  outgoing: Outgoing[],
  { messages, olderCursor }: Pick<History, 'messages' | 'olderCursor'>,
): Outgoing[] => {
  const [oldest] = messages
  if (outgoing.length === 0 || !oldest) return outgoing
  const stored = new Set(messages.map(({ id }) => id))
  const isAbove = ({ contactId, state, writtenAt }: Outgoing) =>
    olderCursor !== null && state === 'accepted' && contactId === oldest.contactId && writtenAt < oldest.timestamp
  const remaining = outgoing.filter((one) => one.state === 'sending' || !(stored.has(one.id) || isAbove(one)))
  return remaining.length === outgoing.length ? outgoing : remaining
}

/** With this one in it: where it was, or behind all others. */
export const withOne = (outgoing: Outgoing[], one: Outgoing): Outgoing[] =>
  outgoing.some(({ id }) => id === one.id)
    ? outgoing.map((each) => (each.id === one.id ? one : each))
    : [...outgoing, one]

/** What was written to the same contact before this one and is to leave before it; files hold up no text. */
export const writtenBefore = (outgoing: Outgoing[], { id, contactId }: Outgoing): Outgoing[] =>
  outgoing
    .slice(
      0,
      Math.max(
        0,
        outgoing.findIndex((one) => one.id === id),
      ),
    )
    .filter((one) => one.contactId === contactId && one.state === 'sending' && !isUploading(one))

/** True while bytes of a file are still only in this page. */
export const isUploading = ({ state, media }: Outgoing): boolean => state === 'sending' && media?.uploadedId === null

const base64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes))

/** What the server is asked to send, over the line that the conversation has when it is taken. */
export const requestOf = (message: Outgoing): SendMessageBody => {
  const { media } = message
  const body: SendMessageBody = {
    contactId: message.contactId,
    message: message.content,
    messageId: message.id,
  }
  if (message.quoted) body.quotedMessageId = message.quoted.id
  if (!media?.uploadedId) return body
  return {
    ...body,
    media: {
      id: media.uploadedId,
      as: media.as,
      fileName: media.fileName ?? undefined,
      seconds: media.seconds ?? undefined,
      width: media.width ?? undefined,
      height: media.height ?? undefined,
      waveform: media.waveform ? base64(media.waveform) : undefined,
      preview: media.preview ?? undefined,
    },
  }
}
