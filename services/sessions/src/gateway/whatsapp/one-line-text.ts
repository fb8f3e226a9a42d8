import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'
import { untrustedText } from './untrusted-input.ts'

const maxLength = 300

const inOneLine = (text: unknown) =>
  untrustedText(text, 4 * maxLength)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)

/** Text, caption or kind of a quoted message. */
export const oneLineText = (message: proto.IMessage | null | undefined): string => {
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
