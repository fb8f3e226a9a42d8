import type { MessageContent, MessageFile, QuotedMessage } from '@prosa/contracts/values/message-content'
import { isPreview } from '@prosa/kernel/files/shown-picture'
import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'
import { untrustedAddress, untrustedBytes, untrustedCount, untrustedId, untrustedText } from './untrusted-input.ts'

const maxLength = 300

const inOneLine = (text: unknown) =>
  untrustedText(text, 4 * maxLength)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)

/** Text, caption or kind of a quoted message. */
const oneLineText = (message: proto.IMessage | null | undefined): string => {
  const content = normalizeMessageContent(message)
  if (!content) return ''
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage } = content
  const input = inOneLine(
    content.conversation ||
      content.extendedTextMessage?.text ||
      imageMessage?.caption ||
      videoMessage?.caption ||
      documentMessage?.caption ||
      documentMessage?.fileName,
  )
  if (input) return input
  if (imageMessage) return 'Foto'
  if (videoMessage || ptvMessage) return 'Vídeo'
  if (audioMessage) return audioMessage.ptt ? 'Mensagem de voz' : 'Áudio'
  if (documentMessage) return 'Documento'
  if (content.stickerMessage || content.lottieStickerMessage) return 'Figurinha'
  if (content.locationMessage || content.liveLocationMessage) return 'Localização'
  if (content.contactMessage || content.contactsArrayMessage) return 'Contato'
  return 'Mensagem'
}

/** Sent as messages, but none: updates and keys. */
const notMessages = new Set([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
  'deviceSentMessage',
  'call',
])

/** Characters; limit of WhatsApp's clients. The message must fit in one append. */
const maxTextLength = 65_536
const maxNameLength = 1000
/** Bytes. */
const maxPreviewBytes = 12_288
const maxWaveformBytes = 1024
const mediaKeyBytes = 32
const hashBytes = 64
const widest = 100_000

interface FileMessage {
  mimetype?: string | null
  fileLength?: unknown
  mediaKey?: Uint8Array | null
  directPath?: string | null
  url?: string | null
  fileSha256?: Uint8Array | null
}

/** undefined without its decryption key. */
const fileOf = (input: FileMessage, id: () => string, mediaType: string): MessageFile | undefined => {
  const mediaKey = untrustedBytes(input.mediaKey, mediaKeyBytes)
  if (!mediaKey) return undefined
  return {
    id: id(),
    mediaType: untrustedText(input.mimetype, 200) || mediaType,
    bytes: untrustedCount(input.fileLength) ?? 0,
    source: {
      mediaKey,
      directPath: untrustedText(input.directPath, 2000) || null,
      url: untrustedAddress(input.url),
      fileSha256: untrustedBytes(input.fileSha256, hashBytes) ?? null,
    },
  }
}

const quotedOf = (input: proto.IContextInfo | null | undefined): { quoted?: QuotedMessage } => {
  const messageId = untrustedId(input?.stanzaId)
  return messageId ? { quoted: { messageId, text: oneLineText(input?.quotedMessage) } } : {}
}

const side = (value: unknown) => {
  const pixels = untrustedCount(value)
  return pixels && pixels <= widest ? pixels : null
}
const pixelsOf = ({ width, height }: { width?: number | null; height?: number | null }) => ({
  width: side(width),
  height: side(height),
})

/** Null unless a small JPEG: browsers decode it with every view. */
const previewOf = ({ jpegThumbnail }: { jpegThumbnail?: Uint8Array | null }) => {
  const preview = untrustedBytes(jpegThumbnail, maxPreviewBytes)
  return preview !== undefined && isPreview(Buffer.from(preview, 'base64')) ? preview : null
}

type Reader = (content: proto.IMessage, fileId: () => string) => MessageContent | undefined

const text: Reader = ({ conversation, extendedTextMessage }) => {
  const input = untrustedText(conversation || extendedTextMessage?.text, maxTextLength)
  return input ? { kind: 'text', text: input, ...quotedOf(extendedTextMessage?.contextInfo) } : undefined
}

const image: Reader = ({ imageMessage: input }, fileId) => {
  const file = input && fileOf(input, fileId, 'image/jpeg')
  if (!file) return undefined
  const caption = untrustedText(input.caption, maxTextLength)
  return { kind: 'image', file, caption, preview: previewOf(input), ...pixelsOf(input), ...quotedOf(input.contextInfo) }
}

const video: Reader = ({ videoMessage, ptvMessage }, fileId) => {
  const input = videoMessage ?? ptvMessage
  const file = input && fileOf(input, fileId, 'video/mp4')
  if (!file) return undefined
  return {
    kind: 'video',
    file,
    caption: untrustedText(input.caption, maxTextLength),
    preview: previewOf(input),
    seconds: untrustedCount(input.seconds) ?? null,
    ...pixelsOf(input),
    ...quotedOf(input.contextInfo),
  }
}

const audio: Reader = ({ audioMessage: input }, fileId) => {
  const file = input && fileOf(input, fileId, 'audio/ogg')
  if (!file) return undefined
  return {
    kind: 'audio',
    file,
    voice: input.ptt === true,
    seconds: untrustedCount(input.seconds) ?? null,
    waveform: untrustedBytes(input.waveform, maxWaveformBytes) ?? null,
    ...quotedOf(input.contextInfo),
  }
}

const document: Reader = ({ documentMessage: input }, fileId) => {
  const file = input && fileOf(input, fileId, 'application/octet-stream')
  if (!file) return undefined
  return {
    kind: 'document',
    file,
    fileName: untrustedText(input.fileName, maxNameLength) || untrustedText(input.title, maxNameLength),
    caption: untrustedText(input.caption, maxTextLength),
    ...quotedOf(input.contextInfo),
  }
}

const sticker: Reader = ({ stickerMessage, lottieStickerMessage }, fileId) => {
  const input = stickerMessage ?? lottieStickerMessage?.message?.stickerMessage
  const file = input && fileOf(input, fileId, 'image/webp')
  if (!file) return undefined
  return {
    kind: 'sticker',
    file,
    animated: input.isAnimated === true || input.isLottie === true,
    ...pixelsOf(input),
    ...quotedOf(input.contextInfo),
  }
}

const readers: readonly Reader[] = [text, image, video, audio, document, sticker]

/** undefined for what is no message. Unknown or incomplete kinds keep WhatsApp's name. `fileId` is called only where there is a file. */
export const readContent = (
  message: proto.IMessage | null | undefined,
  fileId: () => string,
): MessageContent | undefined => {
  const content = normalizeMessageContent(message)
  if (!content) return undefined
  for (const read of readers) {
    const found = read(content, fileId)
    if (found) return found
  }
  const type = Object.entries(content).find(([name, value]) => value && !notMessages.has(name))?.[0]
  return type === undefined ? undefined : { kind: 'unsupported', type: type.slice(0, maxNameLength) }
}
