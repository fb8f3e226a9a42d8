import type { MessageContent, MessageFile, QuotedMessage } from '@prosa/contracts/values/message-content'
import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'
import { oneLineText } from './one-line-text.ts'
import { saidAddress, saidBytes, saidCount, saidId, saidText } from './said.ts'

/** What travels as a message and is none: news about other messages, and keys. */
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

/** Characters. WhatsApp's own clients stop at 65,536; with the rest of a message it has to fit in one append. */
const longestText = 65_536
const longestName = 1000
/** Bytes. */
const largestPreview = 12_288
const largestWaveform = 1024
const mediaKeyBytes = 32
const hashBytes = 64
/** A file that nobody could show would be no picture. */
const widest = 100_000

interface FileMessage {
  mimetype?: string | null
  fileLength?: unknown
  mediaKey?: Uint8Array | null
  directPath?: string | null
  url?: string | null
  fileSha256?: Uint8Array | null
}

/** undefined without the key that opens it: then there is nothing to fetch, ever. */
const fileOf = (said: FileMessage, id: () => string, mediaType: string): MessageFile | undefined => {
  const mediaKey = saidBytes(said.mediaKey, mediaKeyBytes)
  if (!mediaKey) return undefined
  return {
    id: id(),
    mediaType: saidText(said.mimetype, 200) || mediaType,
    bytes: saidCount(said.fileLength) ?? 0,
    source: {
      mediaKey,
      directPath: saidText(said.directPath, 2000) || null,
      url: saidAddress(said.url),
      fileSha256: saidBytes(said.fileSha256, hashBytes) ?? null,
    },
  }
}

const quotedOf = (said: proto.IContextInfo | null | undefined): { quoted?: QuotedMessage } => {
  const messageId = saidId(said?.stanzaId)
  return messageId ? { quoted: { messageId, text: oneLineText(said?.quotedMessage) } } : {}
}

const side = (value: unknown) => {
  const pixels = saidCount(value)
  return pixels && pixels <= widest ? pixels : null
}
const pixelsOf = ({ width, height }: { width?: number | null; height?: number | null }) => ({
  width: side(width),
  height: side(height),
})

const previewOf = ({ jpegThumbnail }: { jpegThumbnail?: Uint8Array | null }) =>
  saidBytes(jpegThumbnail, largestPreview) ?? null

type Reader = (content: proto.IMessage, fileId: () => string) => MessageContent | undefined

const text: Reader = ({ conversation, extendedTextMessage }) => {
  const said = saidText(conversation || extendedTextMessage?.text, longestText)
  return said ? { kind: 'text', text: said, ...quotedOf(extendedTextMessage?.contextInfo) } : undefined
}

const image: Reader = ({ imageMessage: said }, fileId) => {
  const file = said && fileOf(said, fileId, 'image/jpeg')
  if (!file) return undefined
  const caption = saidText(said.caption, longestText)
  return { kind: 'image', file, caption, preview: previewOf(said), ...pixelsOf(said), ...quotedOf(said.contextInfo) }
}

const video: Reader = ({ videoMessage, ptvMessage }, fileId) => {
  const said = videoMessage ?? ptvMessage
  const file = said && fileOf(said, fileId, 'video/mp4')
  if (!file) return undefined
  return {
    kind: 'video',
    file,
    caption: saidText(said.caption, longestText),
    preview: previewOf(said),
    seconds: saidCount(said.seconds) ?? null,
    ...pixelsOf(said),
    ...quotedOf(said.contextInfo),
  }
}

const audio: Reader = ({ audioMessage: said }, fileId) => {
  const file = said && fileOf(said, fileId, 'audio/ogg')
  if (!file) return undefined
  return {
    kind: 'audio',
    file,
    voice: said.ptt === true,
    seconds: saidCount(said.seconds) ?? null,
    waveform: saidBytes(said.waveform, largestWaveform) ?? null,
    ...quotedOf(said.contextInfo),
  }
}

const document: Reader = ({ documentMessage: said }, fileId) => {
  const file = said && fileOf(said, fileId, 'application/octet-stream')
  if (!file) return undefined
  return {
    kind: 'document',
    file,
    fileName: saidText(said.fileName, longestName) || saidText(said.title, longestName),
    caption: saidText(said.caption, longestText),
    ...quotedOf(said.contextInfo),
  }
}

const sticker: Reader = ({ stickerMessage, lottieStickerMessage }, fileId) => {
  const said = stickerMessage ?? lottieStickerMessage?.message?.stickerMessage
  const file = said && fileOf(said, fileId, 'image/webp')
  if (!file) return undefined
  return {
    kind: 'sticker',
    file,
    animated: said.isAnimated === true || said.isLottie === true,
    ...pixelsOf(said),
    ...quotedOf(said.contextInfo),
  }
}

const readers: readonly Reader[] = [text, image, video, audio, document, sticker]

/**
 * What a message of somebody else says, whatever it is wrapped in; undefined for what is no message by itself. What is no
 * kind of ours, or lacks what its kind needs, is named by WhatsApp's own name. `fileId` is asked for its file, where it has one.
 */
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
  return type === undefined ? undefined : { kind: 'unsupported', type: type.slice(0, longestName) }
}
