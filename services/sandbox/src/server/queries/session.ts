import { child, children, el } from '../../wire/stanza.ts'
import { type Namespace, notFound, nothing } from './answer.ts'

export const passive: Namespace = {
  'set/active': (_request, device, server) => {
    queueMicrotask(() => server.startDelivery(device)) // the answer goes out first
    return []
  },
  'set/passive': nothing,
}

export const featureProps: Namespace = {
  'get/props': () => [el('props', { protocol: '1', hash: 'sandbox', refresh: '86400' })],
}

export const ping: Namespace = { 'get/ping': nothing }
export const dirtyBits: Namespace = { 'set/clean': nothing }
export const statistics: Namespace = { '/add': nothing }

/** A client unlinks itself. */
export const md: Namespace = {
  'set/remove-companion-device': (request, device, server) => {
    const target = server.directory.device(child(request, 'remove-companion-device')?.attrs.jid)
    if (!target || target.account !== device.account) return notFound
    queueMicrotask(() => server.unlink(target)) // the answer goes out first
    return []
  },
}

const MAX_UPLOAD_BYTES = String(100 << 20)

export const mediaConn: Namespace = {
  'set/media_conn': (_request, _device, server) => {
    const hostname = server.media.uploadHost
    const host = el('host', { hostname, maxContentLengthBytes: MAX_UPLOAD_BYTES })
    return [el('media_conn', { auth: 'sandbox', ttl: '3600' }, [host])]
  },
}

/** Accepts changes, and reports every collection as unchanged. */
export const appState: Namespace = {
  'set/sync': (request) => {
    const collections = children(child(request, 'sync'), 'collection').map(({ attrs: { name, version } }) =>
      el('collection', { name, version }),
    )
    return [el('sync', {}, collections)]
  },
}
