import type { PhotoSize } from './values/photo.ts'

/** Where a size of an account's picture lies in the storage: identity puts it there, projections hands it out. Both ids are UUIDs. */
export const photoFileName = (owner: string, photoId: string, size: PhotoSize): string =>
  `${photoFolder(owner, photoId)}${size}`

/** What names of files begin with: of one picture, or of all that an account ever had. */
export const photoFolder = (owner: string, photoId?: string): string =>
  photoId === undefined ? `photos/${owner}/` : `photos/${owner}/${photoId}/`
