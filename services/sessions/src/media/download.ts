import { DownloadFailed, Unfetchable } from './unfetchable.ts'

export interface DownloadOptions {
  signal: AbortSignal
  maxBytes: number
  /** Milliseconds without a byte until it is aborted. */
  silence?: number
  /** Timeout of the whole download in ms. */
  whole?: number
}

const silenceMs = 30_000
const wholeMs = 5 * 60_000

/** Expired files; whatsmeow treats them alike. */
const gone = new Set([403, 404, 410])

const requireGood = ({ status, headers }: Response, maxBytes: number): void => {
  // WhatsApp's hosts do not redirect.
  if (status >= 300 && status < 400) throw new Unfetchable('foreign_host')
  if (gone.has(status)) throw new Unfetchable('expired')
  if (status !== 200) throw new DownloadFailed(`answered ${status}`)
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw new Unfetchable('too_large')
}

/** Throws `Unfetchable` or `DownloadFailed`, without the address. */
export async function* download(
  url: URL,
  { signal, maxBytes, silence = silenceMs, whole = wholeMs }: DownloadOptions,
): AsyncGenerator<Buffer> {
  const silent = new AbortController()
  const silenceTimer = setTimeout(() => silent.abort(), silence)
  const until = AbortSignal.any([signal, silent.signal, AbortSignal.timeout(whole)])
  try {
    const headers = { origin: 'https://web.whatsapp.com', 'accept-encoding': 'identity' }
    const response = await fetch(url, { redirect: 'manual', headers, signal: until })
    try {
      requireGood(response, maxBytes)
      let bytes = 0
      for await (const chunk of response.body ?? []) {
        silenceTimer.refresh()
        bytes += chunk.length
        if (bytes > maxBytes) throw new Unfetchable('too_large')
        yield Buffer.from(chunk)
      }
    } finally {
      // An unread body would hold the connection.
      if (response.body && !response.body.locked) await response.body.cancel()
    }
  } catch (error) {
    if (error instanceof Unfetchable || error instanceof DownloadFailed) throw error
    throw new DownloadFailed('broke off', { cause: error })
  } finally {
    clearTimeout(silenceTimer)
  }
}
