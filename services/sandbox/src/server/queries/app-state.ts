/** `w:sync:app:state`: accepts changes, and reports every collection as unchanged. */
import { child, children, el } from '../../wire/stanza.ts'
import type { Namespace } from './answer.ts'

export const appState: Namespace = {
  'set/sync': (request) => {
    const collections = children(child(request, 'sync'), 'collection').map(({ attrs: { name, version } }) =>
      el('collection', { name, version }),
    )
    return [el('sync', {}, collections)]
  },
}
