import { parseStream } from '@prosa/contracts/streams'
import type { WebhookStatus } from '@prosa/contracts/values/webhook'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { WebhookEvent } from './webhook.ts'

export interface FollowedWebhook {
  id: string
  tenant: string
  types: ReadonlySet<string>
  status: WebhookStatus
}

/** The webhooks of all tenants, as of a position of the log. */
export interface FollowedWebhooks {
  of(tenant: string): readonly FollowedWebhook[]
  find(id: string): FollowedWebhook | undefined
  all(): Iterable<FollowedWebhook>
  apply(event: Stored<WebhookEvent>): void
}

export const followedWebhooks = (): FollowedWebhooks => {
  const byId = new Map<string, FollowedWebhook>()
  const byTenant = new Map<string, readonly FollowedWebhook[]>()
  const put = (id: string, tenant: string, webhook: FollowedWebhook | undefined) => {
    const others = (byTenant.get(tenant) ?? []).filter((each) => each.id !== id)
    const webhooks = webhook ? [...others, webhook] : others
    if (webhook) byId.set(id, webhook)
    else byId.delete(id)
    if (webhooks.length > 0) byTenant.set(tenant, webhooks)
    else byTenant.delete(tenant)
  }
  const statusAfter: Partial<Record<WebhookEvent['type'], WebhookStatus>> = {
    WebhookPaused: 'paused',
    WebhookResumed: 'active',
    WebhookDisabled: 'disabled',
  }
  return {
    of: (tenant) => byTenant.get(tenant) ?? [],
    find: (id) => byId.get(id),
    all: () => byId.values(),
    apply(event) {
      const { webhookId: id } = event.data
      const tenant = parseStream(event.stream).id
      const known = byId.get(id)
      if (event.type === 'WebhookAdded')
        return put(id, tenant, { id, tenant, types: new Set(event.data.types), status: 'active' })
      if (event.type === 'WebhookRemoved') return put(id, tenant, undefined)
      if (!known) return
      if (event.type === 'WebhookRevised') return put(id, tenant, { ...known, types: new Set(event.data.types) })
      put(id, tenant, { ...known, status: statusAfter[event.type] ?? known.status })
    },
  }
}
