import type { Readable } from 'node:stream'
import type { MessageContent, MessageFile } from '@prosa/contracts/values/message-content'
import { prepareWAMessageMedia, proto, type WAMediaUploadFunction } from '@whiskeysockets/baileys'
import { isSideWork } from '../../outbox/outgoing-work.ts'
import type { Outgoing } from '../gateway.ts'

const { ExtendedTextMessage } = proto.Message
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

type SentContent = Exclude<MessageContent, { kind: 'unsupported' }>
type FileContent = Extract<SentContent, { file: MessageFile }>

export interface Preparation {
  /** Our address, as the contact's device knows it. */
  me: string
  quotesOwn: boolean
  upload: WAMediaUploadFunction
  original?: Uint8Array | undefined
  open(file: MessageFile): Promise<Readable>
}

/** Milliseconds; large files over slow networks. */
const uploadTimeout = 300_000

const secretOf = (secret: string) => ({ messageContextInfo: { messageSecret: Buffer.from(secret, 'base64') } })

export const editMark = ({ work }: Outgoing): { edit: '1' | '7' } | undefined => {
  if (work?.kind === 'edit') return { edit: '1' }
  return work?.kind === 'deletion' ? { edit: '7' } : undefined
}

type Edit = Extract<NonNullable<Outgoing['work']>, { kind: 'edit' }>

const editOf = ({ messageId, at }: Edit, toJid: string, editedMessage: proto.IMessage): proto.IMessage => {
  const key = { remoteJid: toJid, fromMe: true, id: messageId }
  return proto.Message.create({
    protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.parse(at) },
  })
}

/** The caption alone where the original is no longer stored. */
const withCaption = (content: MessageContent, original: Uint8Array | undefined): proto.IMessage => {
  const { imageMessage, videoMessage, documentMessage } = original ? proto.Message.decode(original) : {}
  switch (content.kind) {
    case 'image':
      return { imageMessage: { ...imageMessage, caption: content.caption } }
    case 'video':
      return { videoMessage: { ...videoMessage, caption: content.caption } }
    case 'document':
      return { documentMessage: { ...documentMessage, caption: content.caption } }
    default:
      throw new Error('this kind of message has no caption')
  }
}

/** undefined where the message needs preparation. */
export const plainMessage = ({ work, toJid }: Outgoing): proto.IMessage | undefined => {
  if (!work || isSideWork(work)) return undefined
  if (work.kind === 'reaction') {
    const { target, emoji, at } = work
    const key = { remoteJid: toJid, fromMe: target.isOwn, id: target.messageId }
    return proto.Message.create({ reactionMessage: { key, text: emoji ?? '', senderTimestampMs: Date.parse(at) } })
  }
  if (work.kind === 'deletion') {
    const key = { remoteJid: toJid, fromMe: true, id: work.messageId }
    return proto.Message.create({ protocolMessage: { key, type: REVOKE } })
  }
  if (work.kind === 'edit')
    return work.content.kind === 'text'
      ? editOf(work, toJid, { extendedTextMessage: { text: work.content.text } })
      : undefined
  const { content, secret } = work
  if (content.kind !== 'text' || content.quoted) return undefined
  return proto.Message.create({ extendedTextMessage: { text: content.text }, ...secretOf(secret) })
}

const contextOf = ({ quoted }: SentContent, toJid: string, { me, quotesOwn }: Preparation) =>
  quoted && {
    stanzaId: quoted.messageId,
    participant: quotesOwn ? me : toJid,
    quotedMessage: { conversation: quoted.text },
  }

/** WhatsApp plays only this exact type as a voice note. */
const audioType = (mediaType: string, isVoice: boolean) =>
  isVoice && mediaType.startsWith('audio/ogg') ? 'audio/ogg; codecs=opus' : mediaType

const bytesOf = (base64: string | null | undefined) => (base64 ? Buffer.from(base64, 'base64') : undefined)

const withFile = async (content: FileContent, { upload, open }: Preparation): Promise<proto.IMessage> => {
  const stream = await open(content.file)
  const options = { upload, mediaUploadTimeoutMs: uploadTimeout }
  const mimetype = content.file.mediaType
  // Otherwise Baileys makes a preview, with the whole picture in memory.
  const jpegThumbnail = ''
  switch (content.kind) {
    case 'image': {
      const { imageMessage } = await prepareWAMessageMedia({ image: { stream }, jpegThumbnail }, options)
      const { caption, width, height, preview } = content
      return {
        imageMessage: { ...imageMessage, mimetype, caption, width, height, jpegThumbnail: bytesOf(preview) },
      }
    }
    case 'video': {
      const { videoMessage } = await prepareWAMessageMedia({ video: { stream }, jpegThumbnail }, options)
      const { caption, width, height, seconds, preview } = content
      return {
        videoMessage: { ...videoMessage, mimetype, caption, width, height, seconds, jpegThumbnail: bytesOf(preview) },
      }
    }
    case 'audio': {
      const seconds = content.seconds ?? undefined
      const { audioMessage } = await prepareWAMessageMedia({ audio: { stream }, seconds }, options)
      const { voice, waveform } = content
      return {
        audioMessage: {
          ...audioMessage,
          mimetype: audioType(mimetype, voice),
          ptt: voice,
          waveform: bytesOf(waveform),
        },
      }
    }
    case 'document': {
      const { fileName, caption } = content
      const { documentMessage } = await prepareWAMessageMedia({ document: { stream }, mimetype, fileName }, options)
      return { documentMessage: { ...documentMessage, fileName, title: fileName, caption } }
    }
    case 'sticker': {
      const { stickerMessage } = await prepareWAMessageMedia({ sticker: { stream } }, options)
      const { animated, width, height } = content
      return { stickerMessage: { ...stickerMessage, mimetype, isAnimated: animated, width, height } }
    }
  }
}

const withContext = (message: proto.IMessage, contextInfo: proto.IContextInfo): proto.IMessage =>
  Object.fromEntries(Object.entries(message).map(([kind, input]) => [kind, { ...input, contextInfo }]))

/** Uploads files. Throws `FileMissing`, or the upload's error. */
export const preparedMessage = async ({ work, toJid }: Outgoing, preparation: Preparation): Promise<proto.IMessage> => {
  if (work?.kind === 'edit') return editOf(work, toJid, withCaption(work.content, preparation.original))
  if (work?.kind !== 'message' || work.content.kind === 'unsupported') throw new Error('this work needs no preparation')
  const { content, secret } = work
  const context = contextOf(content, toJid, preparation)
  const message: proto.IMessage =
    content.kind === 'text'
      ? { extendedTextMessage: ExtendedTextMessage.create({ text: content.text }) }
      : await withFile(content, preparation)
  return proto.Message.create({ ...(context ? withContext(message, context) : message), ...secretOf(secret) })
}

/** undefined when its content was deleted, or it is not ready yet. */
export const messageToSend = (outgoing: Outgoing): proto.IMessage | undefined =>
  outgoing.prepared ? proto.Message.decode(outgoing.prepared) : plainMessage(outgoing)
