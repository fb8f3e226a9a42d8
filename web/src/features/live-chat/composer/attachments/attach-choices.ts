export const attachChoices = [
  { name: 'media', label: 'Fotos, vídeos e áudios', accept: 'image/*,video/*,audio/*' },
  { name: 'document', label: 'Documento', accept: undefined },
  { name: 'camera', label: 'Câmera', accept: 'image/*' },
] as const

export type AttachChoice = (typeof attachChoices)[number]['name']
