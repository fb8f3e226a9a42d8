import type { MessageKind, SimulatedMessage } from '@prosa/contracts/http/simulator'

const names: Partial<Record<MessageKind, string>> = {
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  voice: 'Mensagem de voz',
  sticker: 'Figurinha',
}

export const messageWords = ({ deleted, text, kind, file }: SimulatedMessage): string => {
  if (deleted) return 'Mensagem apagada'
  return text || names[kind] || file?.fileName || 'Documento'
}
