import { z } from 'zod'
import { id, whatsappMessageId } from './ids.ts'

/** Encrypted file at WhatsApp; only for received files. */
const whatsappFile = z.object({
  /** Base64. */
  mediaKey: z.string(),
  directPath: z.string().nullable(),
  url: z.string().nullable(),
  /** SHA-256 after decryption, base64. */
  fileSha256: z.string().nullable(),
})

export const messageFile = z.object({
  id,
  /** Stated by the sender; the stored file has a checked one. */
  mediaType: z.string(),
  /** Stated by the sender. */
  bytes: z.number().int().nonnegative(),
  source: whatsappFile.nullable(),
})

/** `text`: excerpt from the author's device. */
export const quotedMessage = z.object({ messageId: whatsappMessageId, text: z.string() })

const answered = { quoted: quotedMessage.nullish() }
const pixels = { width: z.number().int().positive().nullish(), height: z.number().int().positive().nullish() }
const seconds = z.number().int().nonnegative().nullish()
/** JPEG thumbnail. */
const preview = z.base64().nullish()

/** Unsupported kinds are named, never dropped. */
export const messageContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), ...answered }),
  z.object({ kind: z.literal('image'), file: messageFile, caption: z.string(), preview, ...pixels, ...answered }),
  z.object({
    kind: z.literal('video'),
    file: messageFile,
    caption: z.string(),
    preview,
    seconds,
    ...pixels,
    ...answered,
  }),
  /** `voice`: recorded in the chat; `waveform`: base64 of bytes, 0 to 100. */
  z.object({
    kind: z.literal('audio'),
    file: messageFile,
    voice: z.boolean(),
    seconds,
    waveform: z.base64().nullish(),
    ...answered,
  }),
  z.object({
    kind: z.literal('document'),
    file: messageFile,
    fileName: z.string(),
    caption: z.string(),
    ...answered,
  }),
  z.object({ kind: z.literal('sticker'), file: messageFile, animated: z.boolean(), ...pixels, ...answered }),
  z.object({ kind: z.literal('unsupported'), type: z.string(), ...answered }),
])

export type MessageContent = z.infer<typeof messageContent>
export type MessageFile = z.infer<typeof messageFile>
export type QuotedMessage = z.infer<typeof quotedMessage>

export const fileOf = (content: MessageContent): MessageFile | undefined =>
  'file' in content ? content.file : undefined
