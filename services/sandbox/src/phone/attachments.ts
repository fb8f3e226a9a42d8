/** Files in messages: how a phone attaches and opens them. */
import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'
import type { MediaHost } from '../server/media.ts'

export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export interface FileDetails {
  mimetype: string
  caption?: string
  fileName?: string
  /** Of audio and video. */
  seconds?: number
  /** A voice note, not an attached piece of audio. */
  ptt?: boolean
  /** Loudness of a voice note, 64 bytes of 0 to 100. */
  waveform?: Uint8Array
  width?: number
  height?: number
  /** A small JPEG to show before the file is fetched. */
  jpegThumbnail?: Uint8Array
  contextInfo?: proto.IContextInfo
}

/** Where a file is, and what the message holds about it. */
export interface FileMessage extends FileDetails {
  kind: MediaKind
  url: string
  mediaKey: Uint8Array
  bytes: number
}

/** Stores `data` encrypted and returns the message that refers to it. */
export async function attach(
  media: MediaHost,
  kind: MediaKind,
  data: Buffer,
  details: FileDetails,
): Promise<proto.IMessage> {
  const file = await media.encrypt(data, kind)
  return { [`${kind}Message`]: { ...details, ...file } }
}

/** What a message holds about its file; undefined when it has none. */
export function fileOf(message: proto.IMessage): FileMessage | undefined {
  const content = normalizeMessageContent(message)
  for (const kind of MEDIA_KINDS) {
    const found = content?.[`${kind}Message`]
    if (!found?.url || !found.mediaKey) continue
    const { caption, fileName, seconds, ptt, waveform, width, height } = found as proto.Message.IVideoMessage &
      proto.Message.IAudioMessage &
      proto.Message.IDocumentMessage
    return {
      kind,
      url: found.url,
      mediaKey: found.mediaKey,
      mimetype: found.mimetype ?? 'application/octet-stream',
      bytes: Number(found.fileLength ?? 0),
      ...(caption && { caption }),
      ...(fileName && { fileName }),
      ...(seconds && { seconds }),
      ...(ptt && { ptt }),
      ...(waveform?.length && { waveform }),
      ...(width && height && { width, height }),
    }
  }
  return undefined
}

/** Decrypted content of a received image, video, audio, document or sticker. Throws when the message has none. */
export async function openAttachment(media: MediaHost, message: proto.IMessage): Promise<Buffer> {
  const file = fileOf(message)
  if (!file) throw new Error('the message has no media')
  return media.decrypt(file, file.kind)
}
