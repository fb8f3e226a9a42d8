import type { Message } from '@prosa/contracts/http/live-chat'

const names: Record<Message['kind'], string> = {
  text: 'Mensagem',
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  document: 'Documento',
  sticker: 'Figurinha',
  unsupported: 'Mensagem',
  deleted: 'Mensagem apagada',
}

export const kindName = ({ kind, media }: Pick<Message, 'kind' | 'media'>): string =>
  kind === 'audio' && media?.voice ? 'Mensagem de voz' : names[kind]

export const summaryOf = (message: Message): string => {
  if (message.kind === 'deleted') return names.deleted
  return message.content.trim() || message.media?.fileName || kindName(message)
}

export const fileNameOf = (message: Message): string => {
  const { media } = message
  if (media?.fileName) return media.fileName
  const ending = media?.mediaType.split(';')[0]?.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin'
  return `${kindName(message).toLowerCase().replaceAll(' ', '-')}-${message.timestamp.slice(0, 10)}.${ending}`
}
