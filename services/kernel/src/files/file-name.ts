const name = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/
const maxLength = 512

/** No valid name leads out of the storage. */
export const requireFileName = (text: string): void => {
  if (text.length > maxLength || !name.test(text)) throw new Error('not a name of a file')
}

/** Must end with '/'. */
export const requireFilePrefix = (text: string): void => {
  if (!text.endsWith('/')) throw new Error('not a prefix of names of files')
  requireFileName(text.slice(0, -1))
}
