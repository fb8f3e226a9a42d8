/** WhatsApp's format: `3EB0` and 18 upper-case hex digits. A repeated request with the same id sends once. */
export const newMessageId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return `3EB0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`
}
