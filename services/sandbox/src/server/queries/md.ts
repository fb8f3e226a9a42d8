/** `md`: a client unlinks itself. */
import { child } from '../../wire/stanza.ts'
import { type Namespace, notFound } from './answer.ts'

export const md: Namespace = {
  'set/remove-companion-device': (request, device, server) => {
    const target = server.directory.device(child(request, 'remove-companion-device')?.attrs.jid)
    if (!target || target.account !== device.account) return notFound
    queueMicrotask(() => server.unlink(target)) // the answer goes out first
    return []
  },
}
