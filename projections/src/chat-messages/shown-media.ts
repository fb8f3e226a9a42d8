import type { MessageMedia } from '@prosa/contracts/http/live-chat'
import { fileOf, type MessageContent } from '@prosa/contracts/values/message-content'
import type { MediaProblem, MediaRow } from '../media/table.ts'

const problems: Record<MediaProblem, string> = {
  expired: 'Este arquivo não está mais no WhatsApp. Peça que a pessoa o envie de novo.',
  too_large: 'Este arquivo é grande demais para ser guardado aqui. Abra-o no celular.',
  wrong_type: 'O conteúdo deste arquivo não é do tipo que ele diz ser. Por segurança, ele não foi guardado.',
  foreign_host: 'Este arquivo vem de um endereço que não é do WhatsApp. Por segurança, ele não foi baixado.',
  damaged: 'Este arquivo chegou danificado. Peça que a pessoa o envie de novo.',
  out_of_reach: 'O WhatsApp não entregou este arquivo. Tente baixar de novo.',
  no_room:
    'O espaço para arquivos da sua conta está cheio, e este não foi baixado; ele continua no celular. Apague contatos de que não precisa mais e tente de novo.',
}

export type KnownFile = Pick<MediaRow, 'status' | 'mediaType' | 'bytes' | 'reason'> | undefined

type Shape = Pick<MessageMedia, 'fileName' | 'seconds' | 'width' | 'height' | 'voice' | 'waveform' | 'preview'>

const shapeOf = (content: MessageContent): Shape => ({
  fileName: content.kind === 'document' ? content.fileName : null,
  seconds: ('seconds' in content && content.seconds) || null,
  width: ('width' in content && content.width) || null,
  height: ('height' in content && content.height) || null,
  voice: content.kind === 'audio' && content.voice,
  waveform: 'waveform' in content && content.waveform ? [...Buffer.from(content.waveform, 'base64')] : null,
  preview: 'preview' in content && content.preview ? `data:image/jpeg;base64,${content.preview}` : null,
})

export const shownMedia = (content: MessageContent, known: KnownFile): MessageMedia | null => {
  const file = fileOf(content)
  if (!file) return null
  return {
    id: file.id,
    status: known?.status ?? 'waiting',
    problem: known?.status === 'unavailable' ? problems[known.reason ?? 'out_of_reach'] : null,
    mediaType: known?.mediaType ?? file.mediaType,
    bytes: known?.bytes ?? file.bytes,
    ...shapeOf(content),
  }
}
