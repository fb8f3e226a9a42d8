import type { PhotoSize } from './values/photo.ts'

/** Written by identity, read by projections. */
export const photoFileName = (owner: string, photoId: string, size: PhotoSize): string =>
  `${photoFolder(owner, photoId)}${size}`

/** Prefix of one photo or all of an account. */
export const photoFolder = (owner: string, photoId?: string): string =>
  photoId === undefined ? `photos/${owner}/` : `photos/${owner}/${photoId}/`
