/** WhatsApp's, in bytes. */
export const mediaLimits = {
  image: { bytes: 16 * 1024 * 1024, types: ['image/jpeg', 'image/png', 'image/webp'] },
  video: { bytes: 64 * 1024 * 1024, types: ['video/mp4', 'video/3gpp', 'video/quicktime'] },
  audio: {
    bytes: 16 * 1024 * 1024,
    types: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr', 'audio/wav'],
  },
  voice: { bytes: 16 * 1024 * 1024, types: ['audio/ogg'] },
  sticker: { bytes: 1024 * 1024, types: ['image/webp'] },
  /** Anything but programs. */
  document: { bytes: 100 * 1024 * 1024, types: undefined },
} as const
