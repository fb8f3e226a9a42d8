import { parseStream } from '@prosa/contracts/streams'
import type { WebhookStatus } from '@prosa/contracts/values/webhook'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { WebhookEvent } from './webhook.ts'

export interface FollowedWebhook {
  id: string
  owner: string
  types: ReadonlySet<string>
  status: WebhookStatus
}

/** The webhooks of all tenants, as of a position of the log. */
export interface FollowedWebhooks {
  of(owner: string): readonly FollowedWebhook[]
  find(id: string): FollowedWebhook | undefined
  all(): Iterable<FollowedWebhook>
  apply(event: Stored<WebhookEvent>): void
}

export const followedWebhooks = (): FollowedWebhooks => {
  const byId = new Map<string, FollowedWebhook>()
  const byOwner = new Map<string, readonly FollowedWebhook[]>()
  const put = (id: string, owner: string, webhook: FollowedWebhook | undefined) => {
    const others = (byOwner.get(owner) ?? []).filter((each) => each.id !== id)
    const webhooks = webhook ? [...others, webhook] : others
    if (webhook) byId.set(id, webhook)
    else byId.delete(id)
    if (webhooks.length > 0) byOwner.set(owner, webhooks)
    else byOwner.delete(owner)
  }
  const statusAfter: Partial<Record<WebhookEvent['type'], WebhookStatus>> = {
    WebhookPaused: 'paused',
    WebhookResumed: 'active',
    WebhookDisabled: 'disabled',
  }
  return {
    of: (owner) => byOwner.get(owner) ?? [],
    find: (id) => byId.get(id),
    all: () => byId.values(),
    apply(event) {
      const { webhookId: id } = event.data
      const owner = parseStream(event.stream).id
      const known = byId.get(id)
      if (event.type === 'WebhookAdded')
        return put(id, owner, { id, owner, types: new Set(event.data.types), status: 'active' })
      if (event.type === 'WebhookRemoved') return put(id, owner, undefined)
      if (!known) return
      if (event.type === 'WebhookRevised') return put(id, owner, { ...known, types: new Set(event.data.types) })
      put(id, owner, { ...known, status: statusAfter[event.type] ?? known.status })
    },
  }
}
