export const mediaChannel = 'prosa_media'
