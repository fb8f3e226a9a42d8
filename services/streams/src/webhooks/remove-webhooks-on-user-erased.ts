import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { WebhookHandler } from './webhook-handler.ts'

const name = 'remove-webhooks-on-user-erased'

/** Their calls go with them; the key of their secrets is destroyed by identity. */
export const removeWebhooksOnUserErased = (handle: WebhookHandler): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const owner = parseStream(event.stream).id
      await handle(owner, { type: 'RemoveAllWebhooks', data: {} }, { ...contextFor(name, event), owner })
    },
  },
})
