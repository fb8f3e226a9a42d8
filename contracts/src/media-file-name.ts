/** Where the file of a media lies in the storage: sessions puts it there, projections hands it out. Both ids are UUIDs. */
export const mediaFileName = (owner: string, mediaId: string): string => `${mediaFolder(owner, mediaId)}content`

/** What names of files begin with: of one media, or of all of a tenant's. */
export const mediaFolder = (owner: string, mediaId?: string): string =>
  mediaId === undefined ? `${owner}/` : `${owner}/${mediaId}/`
