import type { MessageFile } from '@prosa/contracts/values/message-content'

export type MediaSource = NonNullable<MessageFile['source']>

const whatsappHost = 'mmg.whatsapp.net'
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const parse = (text: string | null, base?: string): URL | undefined =>
  // A backslash reads as a slash here, but not in every parser.
  text !== null && !text.includes('\\') && URL.canParse(text, base) ? new URL(text, base) : undefined

const isWhatsapp = ({ protocol, hostname, port, username, password }: URL): boolean =>
  protocol === 'https:' && hostname.endsWith('.whatsapp.net') && port === '' && username === '' && password === ''

const isLoopback = ({ protocol, hostname, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && loopbackHosts.has(hostname) && username === '' && password === ''

export const renewedAddress = (
  directPath: string,
  { url }: Pick<MediaSource, 'url'>,
  { loopback }: { loopback: boolean },
): URL | undefined => {
  const before = loopback ? parse(url) : undefined
  const renewed =
    directPath.startsWith('/') && before && isLoopback(before) ? parse(directPath, before.href) : undefined
  return mediaAddress({ directPath, url: renewed?.href ?? null }, { loopback })
}

/** The sender may have chosen the address, so only WhatsApp's hosts are allowed, and loopback for simulated phones. */
export const mediaAddress = (
  { directPath, url }: Pick<MediaSource, 'directPath' | 'url'>,
  { loopback }: { loopback: boolean },
): URL | undefined => {
  const named = parse(url)
  if (loopback && named && isLoopback(named)) return named
  const direct = directPath?.startsWith('/') ? parse(directPath, `https://${whatsappHost}`) : undefined
  if (direct?.host === whatsappHost && isWhatsapp(direct)) return direct
  return named && isWhatsapp(named) ? named : undefined
}
