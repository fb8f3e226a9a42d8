/** Bytes that an account's picture may have when it is sent. */
export const maximumPhotoBytes = 5 * 1024 * 1024

/** Width and height in pixels of what is kept of it: beside a name in a list, and on the profile, where screens have two dots a pixel. */
export const photoSizes = [64, 256] as const

export type PhotoSize = (typeof photoSizes)[number]
