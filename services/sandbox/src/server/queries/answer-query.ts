/** `privacy` and `blocklist`: everything is visible, tokens are ignored, blocks are stored. */
import { child, el, firstChild, type Stanza, seconds } from '../../wire/stanza.ts'
import type { Device } from '../directory.ts'
import { type Namespace, notFound, nothing, type QueriedServer } from './answer.ts'
import { encrypt } from './encrypt.ts'
import { groups } from './groups.ts'
import { appState, dirtyBits, featureProps, md, mediaConn, passive, ping, statistics } from './session.ts'
import { usync } from './usync.ts'

const CATEGORIES = ['readreceipts', 'profile', 'status', 'online', 'last', 'groupadd', 'calladd', 'messages']

const privacy: Namespace = {
  'get/privacy': () => [
    el(
      'privacy',
      {},
      CATEGORIES.map((name) => el('category', { name, value: 'all' })),
    ),
  ],
  'set/tokens': nothing,
}

const blocklist: Namespace = {
  'get/': (_request, { account }) => {
    const items = [...account.blocked].map((other) => el('item', { jid: other.jid('lid') }))
    return [el('list', {}, items)]
  },
  'set/item': (request, { account }, server) => {
    const { jid, action } = child(request, 'item')?.attrs ?? {}
    const other = server.directory.account(jid)
    if (!other) return notFound
    server.setBlocked(account, other, action === 'block')
    return []
  },
}

const namespaces: Record<string, Namespace> = {
  encrypt,
  usync,
  md,
  passive,
  privacy,
  blocklist,
  abt: featureProps,
  'w:p': ping,
  'w:m': mediaConn,
  'w:g2': groups,
  'w:sync:app:state': appState,
  'w:profile:picture': { 'get/picture': () => notFound },
  'urn:xmpp:whatsapp:dirty': dirtyBits,
  'w:stats': statistics,
}

/** Answers every iq: silence would stall the client for 60 s. */
export function answerQuery(server: QueriedServer, device: Device, request: Stanza): Stanza {
  const { xmlns = '', type = '', id, to } = request.attrs
  const key = `${type}/${firstChild(request)?.tag ?? ''}`
  const handler = namespaces[xmlns]?.[key]
  if (!handler) server.unanswered.push(`${xmlns}/${key}`)
  const answer = handler?.(request, device, server) ?? { error: '501', text: 'feature-not-implemented' }
  const attrs = { from: to, id, t: String(seconds()) }
  if (Array.isArray(answer)) return el('iq', { ...attrs, type: 'result' }, answer.length ? answer : undefined)
  return el('iq', { ...attrs, type: 'error' }, [el('error', { code: answer.error, text: answer.text })])
}
