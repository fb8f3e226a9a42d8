/** What the paper clip offers. `accept` is what the browser's dialog shows; the camera is for phones. */
export const attachChoices = [
  { name: 'media', label: 'Fotos, vídeos e áudios', accept: 'image/*,video/*,audio/*' },
  { name: 'document', label: 'Documento', accept: undefined },
  { name: 'camera', label: 'Câmera', accept: 'image/*' },
] as const

export type AttachChoice = (typeof attachChoices)[number]['name']
