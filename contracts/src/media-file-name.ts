/** Written by sessions, read by projections. */
export const mediaFileName = (owner: string, mediaId: string): string => `${mediaFolder(owner, mediaId)}content`

/** Prefix of one media or all of a tenant. */
export const mediaFolder = (owner: string, mediaId?: string): string =>
  mediaId === undefined ? `${owner}/` : `${owner}/${mediaId}/`
