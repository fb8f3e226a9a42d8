export const maximumPhotoBytes = 5 * 1024 * 1024

/** Square, pixels: list, and profile at double density. */
export const photoSizes = [64, 256] as const

export type PhotoSize = (typeof photoSizes)[number]
