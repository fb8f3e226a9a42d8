import type { MessageContent } from '@prosa/contracts/values/message-content'

/** '' if none: a voice message is an answer, too. */
export const spokenText = (content: MessageContent): string => {
  if (content.kind === 'text') return content.text
  return 'caption' in content ? content.caption : ''
}

const kinds = { image: 'Foto', video: 'Vídeo', audio: 'Áudio' } as const

/** As the variable of a question that asks for a file shows it; undefined for stickers and texts. */
export const fileName = (content: MessageContent): string | undefined => {
  if (content.kind === 'document') return content.fileName.trim().slice(0, 255) || 'Documento'
  return content.kind === 'image' || content.kind === 'video' || content.kind === 'audio'
    ? kinds[content.kind]
    : undefined
}
