export class ForeignWebSocketAddress extends Error {
  override name = 'ForeignWebSocketAddress'
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Allows `wss://web.whatsapp.com/…` and, outside production, `ws://` on loopback. Baileys checks no certificate of its own, so only TLS and
 * this authenticate WhatsApp. The error omits the address: it may contain a password.
 */
export const webSocketAddress = (text: string, { production }: { production: boolean }): URL => {
  // A backslash reads as a slash here, but not in every parser.
  const url = URL.canParse(text) && !text.includes('\\') ? new URL(text) : undefined
  if (!url || url.username || url.password || url.hash) throw new ForeignWebSocketAddress('not an acceptable address')
  if (url.protocol === 'wss:' && url.host === 'web.whatsapp.com') return url
  if (!production && url.protocol === 'ws:' && loopbackHosts.has(url.hostname)) return url
  throw new ForeignWebSocketAddress(
    production
      ? 'in production only wss://web.whatsapp.com is accepted'
      : 'only wss://web.whatsapp.com and ws:// on this machine are accepted',
  )
}
