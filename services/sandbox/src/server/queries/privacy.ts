/** `privacy` and `blocklist`: everything is visible, nobody is blocked, tokens are taken without a word. */
import { el } from '../../wire/stanza.ts'
import { type Namespace, nothing } from './answer.ts'

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

export const blocklist: Namespace = { 'get/': () => [el('list', {})] }
