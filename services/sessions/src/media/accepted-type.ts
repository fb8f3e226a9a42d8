import type { MessageContent } from '@prosa/contracts/values/message-content'

export type MediaKind = Extract<MessageContent, { file: unknown }>['kind']

/** Containers that film and sound share, by what they are called when there is only sound in them. */
const sounds: Record<string, string> = {
  'video/mp4': 'audio/mp4',
  'video/3gpp': 'audio/3gpp',
  'video/webm': 'audio/webm',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
}

const isPicture = (type: string) => type.startsWith('image/') && type !== 'image/svg+xml'

/** As what a file counts that arrived as this kind; undefined when it is something else than its sender claims. */
export const acceptedType = (kind: MediaKind, mediaType: string): string | undefined => {
  if (kind === 'document') return mediaType
  if (kind === 'audio') return mediaType.startsWith('audio/') ? mediaType : sounds[mediaType]
  if (kind === 'video') return mediaType.startsWith('video/') ? mediaType : undefined
  return isPicture(mediaType) ? mediaType : undefined
}
