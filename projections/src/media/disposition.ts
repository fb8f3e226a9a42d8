/** What a browser shows or plays without running any of it. Everything else is only ever saved. */
const shown = /^(image\/(jpeg|png|gif|webp|avif)|video\/(mp4|webm|3gpp|quicktime|ogg)|audio\/[\w.+-]+)$/

const maxNameLength = 200

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** The end by which a system knows what a file is. */
const ending = /\.[\p{L}\p{N}]{1,10}$/u

/** A name without folders and control characters, its ending kept however long it is; '' where nothing is left of it. */
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

/** The Content-Disposition of a file: with a name it is to be saved under that name, without one it may be shown if it is harmless. */
export const dispositionOf = (mediaType: string, download: string | undefined): string => {
  if (download === undefined) return shown.test(mediaType) ? 'inline' : 'attachment'
  const name = safeName(download)
  return name === '' ? 'attachment' : `attachment; filename*=UTF-8''${encoded(name)}`
}
