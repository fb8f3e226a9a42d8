import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'
import type { MediaHost } from '../server/media.ts'

export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export interface FileDetails {
  mimetype: string
  caption?: string
  fileName?: string
  seconds?: number
  ptt?: boolean
  /** Loudness, 64 bytes of 0 to 100. */
  waveform?: Uint8Array
  width?: number
  height?: number
  jpegThumbnail?: Uint8Array
  contextInfo?: proto.IContextInfo
}

export interface FileMessage extends FileDetails {
  kind: MediaKind
  url: string
  mediaKey: Uint8Array
  bytes: number
}

export async function attach(
  media: MediaHost,
  kind: MediaKind,
  data: Buffer,
  details: FileDetails,
): Promise<proto.IMessage> {
  const file = await media.encrypt(data, kind)
  return { [`${kind}Message`]: { ...details, ...file } }
}

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

/** Throws when the message has no file. */
export async function openAttachment(media: MediaHost, message: proto.IMessage): Promise<Buffer> {
  const file = fileOf(message)
  if (!file) throw new Error('the message has no media')
  return media.decrypt(file, file.kind)
}
