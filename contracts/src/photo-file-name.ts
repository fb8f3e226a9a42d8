import type { PhotoSize } from './values/photo.ts'

/** Written by identity, read by projections. */
export const photoFileName = (tenant: string, photoId: string, size: PhotoSize): string =>
  `${photoFolder(tenant, photoId)}${size}`

/** Prefix of one photo or all of an account. */
export const photoFolder = (tenant: string, photoId?: string): string =>
  photoId === undefined ? `photos/${tenant}/` : `photos/${tenant}/${photoId}/`
