/** Files in messages: how a phone attaches and opens them. */
import type { proto } from '@whiskeysockets/baileys'
import type { MediaHost } from '../server/media.ts'

const MEDIA_KINDS = ['image', 'video', 'audio', 'document'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export interface FileDetails {
  mimetype: string
  caption?: string
  fileName?: string
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

/** Decrypted content of a received image, video, audio or document. */
export async function openAttachment(media: MediaHost, message: proto.IMessage): Promise<Buffer> {
  for (const kind of MEDIA_KINDS) {
    const reference = message[`${kind}Message`]
    if (reference) return media.decrypt(reference, kind)
  }
  throw new Error('the message has no media')
}
