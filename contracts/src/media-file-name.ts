/** Written by sessions, read by projections. */
export const mediaFileName = (tenant: string, mediaId: string): string => `${mediaFolder(tenant, mediaId)}content`

/** Prefix of one media or all of a tenant. */
export const mediaFolder = (tenant: string, mediaId?: string): string =>
  mediaId === undefined ? `${tenant}/` : `${tenant}/${mediaId}/`
