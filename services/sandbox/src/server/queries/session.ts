import { el } from '../../wire/stanza.ts'
import { type Namespace, nothing } from './answer.ts'

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
