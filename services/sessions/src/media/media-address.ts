import type { MessageFile } from '@prosa/contracts/values/message-content'

export type MediaSource = NonNullable<MessageFile['source']>

const whatsappHost = 'mmg.whatsapp.net'
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const parse = (text: string | null, base?: string): URL | undefined =>
  // A backslash reads as a slash here and not everywhere else: too clever to be an honest address.
  text !== null && !text.includes('\\') && URL.canParse(text, base) ? new URL(text, base) : undefined

const isWhatsapp = ({ protocol, hostname, port, username, password }: URL): boolean =>
  protocol === 'https:' && hostname.endsWith('.whatsapp.net') && port === '' && username === '' && password === ''

const isLoopback = ({ protocol, hostname, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && loopbackHosts.has(hostname) && username === '' && password === ''

/**
 * Where the own phone has put a file once more: at a path of WhatsApp's hosts, or, for a simulated phone, of the host
 * from before.
 */
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

/**
 * Where the file lies, as the message claims: whoever wrote the message may have chosen that address, so it is one of WhatsApp's or
 * none. With `loopback` a simulated phone's file may lie on this machine.
 */
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
