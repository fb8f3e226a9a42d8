import type { Message } from '@prosa/contracts/http/live-chat'

const shownTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** The server gives pictures that need too much memory another type: they are saved like documents. */
export const isShownPicture = ({ media }: Pick<Message, 'media'>): boolean =>
  shownTypes.has(media?.mediaType.split(';', 1)[0] ?? '')
