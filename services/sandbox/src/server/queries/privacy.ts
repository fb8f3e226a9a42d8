/** `privacy` and `blocklist`: everything is visible, tokens are ignored, blocks are stored. */
import { child, el } from '../../wire/stanza.ts'
import { type Namespace, notFound, nothing } from './answer.ts'

const CATEGORIES = ['readreceipts', 'profile', 'status', 'online', 'last', 'groupadd', 'calladd', 'messages']

export const privacy: Namespace = {
  'get/privacy': () => [
    el(
      'privacy',
      {},
      CATEGORIES.map((name) => el('category', { name, value: 'all' })),
    ),
  ],
  'set/tokens': nothing,
}

export const blocklist: Namespace = {
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
