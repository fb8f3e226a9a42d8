import type { MessageContent } from '@prosa/contracts/values/message-content'

export type MediaKind = Extract<MessageContent, { file: unknown }>['kind']

/** Shared containers: type of video → type of audio. */
const sounds: Record<string, string> = {
  'video/mp4': 'audio/mp4',
  'video/3gpp': 'audio/3gpp',
  'video/webm': 'audio/webm',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
}

const isPicture = (type: string) => type.startsWith('image/') && type !== 'image/svg+xml'

/** undefined when the bytes contradict the kind. */
export const acceptedType = (kind: MediaKind, mediaType: string): string | undefined => {
  if (kind === 'document') return mediaType
  if (kind === 'audio') return mediaType.startsWith('audio/') ? mediaType : sounds[mediaType]
  if (kind === 'video') return mediaType.startsWith('video/') ? mediaType : undefined
  return isPicture(mediaType) ? mediaType : undefined
}
