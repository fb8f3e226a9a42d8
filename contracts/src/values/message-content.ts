import { z } from 'zod'
import { id, whatsappMessageId } from './ids.ts'

/** Where the encrypted file lies in WhatsApp's network and what opens it; only what arrived from there has one. */
const whatsappFile = z.object({
  /** Base64. */
  mediaKey: z.string(),
  directPath: z.string().nullable(),
  url: z.string().nullable(),
  /** SHA-256 of the file as it is, base64; null when the sender did not state it. */
  fileSha256: z.string().nullable(),
})

/** A file that belongs to a message. Whether it is here yet stands in the stream `media-<id>`. */
export const messageFile = z.object({
  id,
  /** As the sender states it, e.g. `image/jpeg`; the stored file has its own, checked one. */
  mediaType: z.string(),
  /** As the sender states it. */
  bytes: z.number().int().nonnegative(),
  source: whatsappFile.nullable(),
})

/** The message that this one answers; `text` is what the writer's device showed of it. */
export const quotedMessage = z.object({ messageId: whatsappMessageId, text: z.string() })

const answered = { quoted: quotedMessage.nullish() }
const pixels = { width: z.number().int().positive().nullish(), height: z.number().int().positive().nullish() }
const seconds = z.number().int().nonnegative().nullish()
/** A tiny JPEG in base64 that stands in until the file is there. */
const preview = z.base64().nullish()

/** The content of a message. Kinds that Prosa cannot show yet are named, never dropped. */
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
  /** `voice`: recorded in the chat, not a file that was attached; `waveform`: loudness 0 to 100, base64 of bytes. */
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

/** The file of a message, where its kind has one. */
export const fileOf = (content: MessageContent): MessageFile | undefined =>
  'file' in content ? content.file : undefined
