import type { Message } from '@prosa/contracts/http/live-chat'

const shownTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/**
 * Whether a browser shows the file of this message as a picture. The server calls pictures that would take too much memory another type:
 * such a file is saved like a document.
 */
export const isShownPicture = ({ media }: Pick<Message, 'media'>): boolean =>
  shownTypes.has(media?.mediaType.split(';', 1)[0] ?? '')
