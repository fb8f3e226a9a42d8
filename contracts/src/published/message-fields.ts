import type { MessageContent } from '../values/message-content.ts'
import { fileOf } from '../values/message-content.ts'
import { erasedText } from '../values/personal.ts'
import { count, idField, oneOf, personalText, plainText, time, yesNo } from './field.ts'

export const messageId = idField('message', 'A mensagem.')
export const connectionId = idField('connection', 'A conexão (número de WhatsApp) por onde passa.')
export const attendantId = idField('account', 'A conta de quem atendeu.')
export const sentAt = time('Hora do WhatsApp.')
export const failureCode = (description: string) => plainText(`${description} Código do WhatsApp ou do Prosa.`, '403')

const kinds = ['text', 'image', 'video', 'audio', 'document', 'sticker', 'unsupported', 'erased']

/** What is published of a message's content: how much of what kind, and the text only as a personal field. */
export const contentFields = {
  kind: oneOf(kinds, 'O que a mensagem é; `erased`: os dados foram apagados.'),
  characters: count('Tamanho do texto ou da legenda; ausente sem texto.', 'caracteres', 42).optional(),
  fileBytes: count('Tamanho do arquivo, dito por quem enviou.', 'bytes', 52_100).optional(),
  seconds: count('Duração do áudio ou vídeo.', 'segundos', 12).optional(),
  isVoice: yesNo('Áudio gravado na conversa.').optional(),
  isReply: yesNo('Responde a outra mensagem, citada.'),
  text: personalText('Texto ou legenda.', 'Vocês abrem domingo?').optional(),
}

const textOf = (content: MessageContent): string | undefined => {
  if (content.kind === 'text') return content.text
  return 'caption' in content ? content.caption : undefined
}

export interface MessageFacts {
  kind: string
  characters?: number | undefined
  fileBytes?: number | undefined
  seconds?: number | undefined
  isVoice?: boolean | undefined
  isReply: boolean
}

/** Not the text. */
export const messageFacts = (content: MessageContent): MessageFacts => {
  const text = textOf(content)
  if (text === erasedText) return { kind: 'erased', isReply: false }
  const seconds = 'seconds' in content ? (content.seconds ?? undefined) : undefined
  return {
    kind: content.kind,
    characters: text === undefined || text === '' ? undefined : Array.from(text).length,
    fileBytes: fileOf(content)?.bytes,
    seconds,
    isVoice: content.kind === 'audio' ? content.voice : undefined,
    isReply: Boolean(content.quoted),
  }
}

export const publishedContent = (content: MessageContent): Record<string, unknown> => {
  const facts = messageFacts(content)
  const text = textOf(content)
  return { ...facts, ...(facts.kind !== 'erased' && { text: text === '' ? undefined : text }) }
}
