import { el } from '../../wire/stanza.ts'
import type { Namespace } from './answer.ts'

const MAX_BYTES = String(100 << 20)

export const mediaConn: Namespace = {
  'set/media_conn': (_request, _device, server) => {
    const hostname = server.media.uploadHost
    const host = el('host', { hostname, maxContentLengthBytes: MAX_BYTES })
    return [el('media_conn', { auth: 'sandbox', ttl: '3600' }, [host])]
  },
}
