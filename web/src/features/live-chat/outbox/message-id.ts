/** A WhatsApp message id made here (`3EB0` and 18 upper-case hexadecimal digits): repeating a request with it never sends twice. */
export const newMessageId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return `3EB0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`
}
