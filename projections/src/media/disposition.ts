/** Browsers execute nothing in these; all others are downloads. */
const shown = /^(image\/(jpeg|png|gif|webp|avif)|video\/(mp4|webm|3gpp|quicktime|ogg)|audio\/[\w.+-]+)$/

const maxNameLength = 200

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const ending = /\.[\p{L}\p{N}]{1,10}$/u

/** No folders or control characters; keeps the extension. May be ''. */
const safeName = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in a name
  const plain = name.replace(/\p{Cs}/gu, '\ufffd').replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '')
  const whole = plain
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .trim()
  const [end = ''] = ending.exec(whole) ?? []
  const stem = [...whole.slice(0, whole.length - end.length)]
  return `${stem
    .slice(0, maxNameLength - end.length)
    .join('')
    .trim()}${end}`
}

/** With a name: download; else inline if harmless. */
export const dispositionOf = (mediaType: string, download: string | undefined): string => {
  if (download === undefined) return shown.test(mediaType) ? 'inline' : 'attachment'
  const name = safeName(download)
  return name === '' ? 'attachment' : `attachment; filename*=UTF-8''${encoded(name)}`
}
