import type { MessageKind, SimulatedFile } from '@prosa/contracts/http/simulator'
import { normalizeMessageContent, proto } from '@whiskeysockets/baileys'
import { type FileMessage, fileOf } from '../phone/attachments.ts'
import type { ChatMessage } from './chat.ts'

type Content = Pick<ChatMessage, 'kind' | 'text' | 'file' | 'content'>

const NAMES: Partial<Record<MessageKind, string>> = {
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  voice: 'Mensagem de voz',
  document: 'Documento',
  sticker: 'Figurinha',
}

export const nameOfKind = (kind: MessageKind) => NAMES[kind] ?? 'Mensagem'

const describeFile = ({ mimetype, bytes, fileName, seconds, waveform, width, height }: FileMessage): SimulatedFile => ({
  mediaType: mimetype,
  bytes,
  fileName: fileName ?? null,
  seconds: seconds ?? null,
  waveform: waveform ? [...waveform] : null,
  width: width ?? null,
  height: height ?? null,
})

/** undefined for what is not displayed as a message. */
export function readContent(message: proto.IMessage): Content | undefined {
  const file = fileOf(message)
  if (file) {
    const kind = file.ptt ? 'voice' : file.kind
    const content = Buffer.from(proto.Message.encode(message).finish()).toString('base64')
    return { kind, text: file.caption ?? '', file: describeFile(file), content }
  }
  const content = normalizeMessageContent(message)
  const text = content?.conversation || content?.extendedTextMessage?.text
  if (text) return { kind: 'text', text }
  if (content?.locationMessage) return { kind: 'other', text: 'Localização' }
  if (content?.contactMessage) return { kind: 'other', text: 'Contato' }
  return undefined
}

export const decodeContent = (content: string) => proto.Message.decode(Buffer.from(content, 'base64'))

export function writeContent(message: ChatMessage, contextInfo?: proto.IContextInfo): proto.IMessage {
  if (message.content === undefined) {
    return contextInfo ? { extendedTextMessage: { text: message.text, contextInfo } } : { conversation: message.text }
  }
  const content = decodeContent(message.content)
  const file = fileOf(content)
  const part = file && content[`${file.kind}Message`]
  if (part && contextInfo) part.contextInfo = contextInfo
  return content
}

export function quotedIn(message: proto.IMessage): { id: string; participant?: string } | undefined {
  const content = normalizeMessageContent(message) ?? {}
  for (const part of Object.values(content) as ({ contextInfo?: proto.IContextInfo | null } | null)[]) {
    const { stanzaId, participant } = part?.contextInfo ?? {}
    if (stanzaId) return { id: stanzaId, participant: participant ?? undefined }
  }
  return undefined
}

/** For quoted messages that the phone does not have. */
export function quotedText(message: proto.IMessage): string {
  const content = normalizeMessageContent(message) ?? {}
  for (const part of Object.values(content) as ({ contextInfo?: proto.IContextInfo | null } | null)[]) {
    const quoted = part?.contextInfo?.quotedMessage
    const found = quoted && readContent(quoted)
    if (found) return found.text || nameOfKind(found.kind)
  }
  return ''
}
