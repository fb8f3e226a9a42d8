import type { EventOf } from '@prosa/contracts/events/all-events'
import type { webhookEvents } from '@prosa/contracts/events/webhooks'
import type { Instant } from '@prosa/contracts/values/instant'
import { maximumWebhooks, type WebhookDisabledCause, type WebhookStatus } from '@prosa/contracts/values/webhook'
import type { Decider } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'

export type WebhookEvent = EventOf<typeof webhookEvents>

type DataOf<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>['data']
type Settings = Omit<DataOf<'WebhookRevised'>, 'webhookId'>
interface One {
  webhookId: string
}

export type WebhookCommand =
  | { type: 'AddWebhook'; data: DataOf<'WebhookAdded'> }
  | { type: 'ReviseWebhook'; data: DataOf<'WebhookRevised'> }
  | { type: 'RotateWebhookSecret'; data: DataOf<'WebhookSecretRotated'> }
  | { type: 'PauseWebhook'; data: One }
  | { type: 'ResumeWebhook'; data: One }
  | { type: 'RemoveWebhook'; data: One }
  | { type: 'RequestWebhookTest'; data: One }
  | { type: 'DisableWebhook'; data: One & { cause: WebhookDisabledCause } }
  | { type: 'RequestWebhookRepeat'; data: DataOf<'WebhookRepeatRequested'> }
  /** The account was erased. */
  | { type: 'RemoveAllWebhooks'; data: Record<never, never> }

export type WebhookRefusal = 'webhook_not_found' | 'too_many_webhooks' | 'webhook_is_disabled'

export interface Webhook extends Settings {
  status: WebhookStatus
  secretId: string
  /** Signs too until then. */
  former?: { secretId: string; until: Instant }
}

export interface Webhooks {
  /** By id. */
  existing: ReadonlyMap<string, Webhook>
  /** Recently removed ids. */
  removed: readonly string[]
}

/** Repeated commands are also recognized by their events. */
const maxRemoved = 100

const changed = (state: Webhooks, id: string, change: Partial<Webhook>): Webhooks => {
  const known = state.existing.get(id)
  return known ? { ...state, existing: new Map(state.existing).set(id, { ...known, ...change }) } : state
}

const isSame = (one: Settings, other: Settings) =>
  one.name === other.name &&
  one.address === other.address &&
  one.withPersonal === other.withPersonal &&
  one.types.join() === other.types.join()

const known = (
  { existing }: Webhooks,
  { webhookId }: One,
  decide: (webhook: Webhook) => readonly WebhookEvent[] | { rejected: WebhookRefusal },
) => {
  const webhook = existing.get(webhookId)
  return webhook ? decide(webhook) : { rejected: 'webhook_not_found' as const }
}

/** Stream `webhook-<user id>`. */
export const webhooks: Decider<WebhookCommand, WebhookEvent, Webhooks, WebhookRefusal> = {
  initial: { existing: new Map(), removed: [] },
  decide: {
    AddWebhook: ({ existing, removed }, data) => {
      if (existing.has(data.webhookId) || removed.includes(data.webhookId)) return []
      if (existing.size >= maximumWebhooks) return { rejected: 'too_many_webhooks' }
      return [{ type: 'WebhookAdded', data }]
    },
    ReviseWebhook: (state, data) =>
      known(state, data, (webhook) => (isSame(webhook, data) ? [] : [{ type: 'WebhookRevised', data }])),
    RotateWebhookSecret: (state, data) =>
      known(state, data, ({ secretId }) =>
        secretId === data.secretId ? [] : [{ type: 'WebhookSecretRotated', data }],
      ),
    PauseWebhook: (state, data) =>
      known(state, data, ({ status }) => (status === 'active' ? [{ type: 'WebhookPaused', data }] : [])),
    ResumeWebhook: (state, data) =>
      known(state, data, ({ status }) => (status === 'active' ? [] : [{ type: 'WebhookResumed', data }])),
    DisableWebhook: (state, data) =>
      known(state, data, ({ status }) => (status === 'disabled' ? [] : [{ type: 'WebhookDisabled', data }])),
    RemoveWebhook: (state, data) => {
      if (state.removed.includes(data.webhookId)) return []
      return known(state, data, () => [{ type: 'WebhookRemoved', data }])
    },
    RequestWebhookTest: (state, data) => known(state, data, () => [{ type: 'WebhookTestRequested', data }]),
    RequestWebhookRepeat: (state, data) =>
      known(state, data, ({ status }) =>
        status === 'disabled' ? { rejected: 'webhook_is_disabled' } : [{ type: 'WebhookRepeatRequested', data }],
      ),
    RemoveAllWebhooks: ({ existing }) =>
      [...existing.keys()].map((webhookId) => ({ type: 'WebhookRemoved', data: { webhookId } })),
  },
  evolve: {
    WebhookAdded: (state, { webhookId, ...settings }) => ({
      ...state,
      existing: new Map(state.existing).set(webhookId, { ...settings, status: 'active' }),
    }),
    WebhookRevised: (state, { webhookId, ...settings }) => changed(state, webhookId, settings),
    WebhookSecretRotated: (state, { webhookId, secretId, formerUntil: until }) => {
      const former = state.existing.get(webhookId)
      return former ? changed(state, webhookId, { secretId, former: { secretId: former.secretId, until } }) : state
    },
    WebhookPaused: (state, { webhookId }) => changed(state, webhookId, { status: 'paused' }),
    WebhookResumed: (state, { webhookId }) => changed(state, webhookId, { status: 'active' }),
    WebhookDisabled: (state, { webhookId }) => changed(state, webhookId, { status: 'disabled' }),
    WebhookRemoved: ({ existing, removed }, { webhookId }) => ({
      existing: new Map([...existing].filter(([id]) => id !== webhookId)),
      removed: withLast(removed, webhookId, maxRemoved),
    }),
    WebhookTestRequested: (state) => state,
    WebhookRepeatRequested: (state) => state,
  },
}
