/** Announces that there is something to fetch. */
export const mediaChannel = 'prosa_media'
