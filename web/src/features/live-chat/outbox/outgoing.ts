import type { Message } from '@prosa/contracts/http/live-chat'
import type { SendMessageBody } from '@prosa/contracts/http/messages'
import type { History } from '../history-page.ts'

export type SendAs = NonNullable<SendMessageBody['media']>['as']

export interface OutgoingMedia {
  as: SendAs
  mediaType: string
  bytes: number
  fileName: string | null
  seconds: number | null
  width: number | null
  height: number | null
  /** 0 to 100, at most 64 values. */
  waveform: number[] | null
  /** Tiny JPEG, base64. */
  preview: string | null
  /** The server's id of the file; from then on a reload loses nothing. */
  uploadedId: string | null
}

export interface Writing {
  content: string
  quoted?: Message | null
  file?: { bytes: Blob; media: OutgoingMedia }
}

/** Maybe not in the history yet. */
export interface Outgoing {
  id: string
  contactId: string
  /** Id of the user who wrote it: no other user sees or sends it. */
  owner?: string | undefined
  /** Text or caption. */
  content: string
  /** ISO 8601. */
  writtenAt: string
  state: 'sending' | 'accepted' | 'failed'
  failure: string | null
  quoted?: Message['quoted']
  media?: OutgoingMedia | null
}

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
  // The server chooses it on acceptance.
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

/** Retries a failed message under its own id. */
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

/** The server's status wins, except that a failed message being retried shows as on its way. */
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

/** Drops what the history shows, and accepted messages older than its oldest. */
export const stillOutgoing = (
  outgoing: Outgoing[],
  { messages, older }: Pick<History, 'messages' | 'older'>,
): Outgoing[] => {
  const [oldest] = messages
  if (outgoing.length === 0 || !oldest) return outgoing
  const stored = new Set(messages.map(({ id }) => id))
  const isAbove = ({ contactId, state, writtenAt }: Outgoing) =>
    older !== null && state === 'accepted' && contactId === oldest.contactId && writtenAt < oldest.timestamp
  const remaining = outgoing.filter((one) => one.state === 'sending' || !(stored.has(one.id) || isAbove(one)))
  return remaining.length === outgoing.length ? outgoing : remaining
}

export const withOne = (outgoing: Outgoing[], one: Outgoing): Outgoing[] =>
  outgoing.some(({ id }) => id === one.id)
    ? outgoing.map((each) => (each.id === one.id ? one : each))
    : [...outgoing, one]

/** Earlier messages to the same contact, which leave first; files block no text. */
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

/** Only this page has all bytes of the file. */
export const isUploading = ({ state, media }: Outgoing): boolean => state === 'sending' && media?.uploadedId === null

const base64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes))

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
