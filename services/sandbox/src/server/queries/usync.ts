/** `usync`: existing numbers, their devices and LIDs. */
import { child, children, el, type Stanza, seconds } from '../../wire/stanza.ts'
import { type Account, addressingOf } from '../directory.ts'
import type { Namespace, QueryHandler } from './answer.ts'

const deviceList = (account: Account) =>
  el('devices', {}, [
    el(
      'device-list',
      {},
      [...account.devices.keys()].map((id) =>
        el('device', { id: String(id), 'key-index': id ? String(id) : undefined }),
      ),
    ),
    el('key-index-list', { ts: String(seconds()) }),
  ])

function askedJid(user: Stanza): string {
  const typed = child(user, 'contact')?.content
  return user.attrs.jid ?? `${typed?.toString().replace(/\D/g, '')}@s.whatsapp.net`
}

const lookUp: QueryHandler = (request, _device, server) => {
  const query = child(request, 'usync')
  const protocols = child(query, 'query')?.content
  const wanted = new Set(Array.isArray(protocols) ? protocols.map((protocol) => protocol.tag) : [])
  const users = children(child(query, 'list'), 'user').map((user) => {
    const jid = askedJid(user)
    const account = server.directory.account(jid)
    const parts: Stanza[] = []
    if (wanted.has('contact')) parts.push(el('contact', { type: account ? 'in' : 'out' }))
    if (account && wanted.has('lid') && addressingOf(jid) === 'pn') parts.push(el('lid', { val: account.jid('lid') }))
    if (account && wanted.has('devices')) parts.push(deviceList(account))
    return el('user', { jid }, parts)
  })
  return [el('usync', { ...query?.attrs }, [el('result', {}), el('list', {}, users)])]
}

export const usync: Namespace = { 'get/usync': lookUp }
