import type { EventType } from '@prosa/contracts/events/all-events'
import { catalogue, publishedStreams } from '@prosa/contracts/published/catalogue'
import { categoryOf } from '@prosa/contracts/published/publication'
import { tenantOf } from '@prosa/contracts/published/published-of'
import { webhookTestType } from '@prosa/contracts/values/webhook'
import { pause } from '@prosa/kernel/async/pause'
import { wakeSignal } from '@prosa/kernel/async/wake-signal'
import { loadCheckpoint, saveCheckpoint, saveInEpoch } from '@prosa/kernel/consumers/engine/checkpoints'
import {
  type ConsumeDeps,
  consume,
  type Handling,
  type Page,
  type Session,
} from '@prosa/kernel/consumers/engine/consume'
import { type ConsumerStatus, type ConsumerStatuses, statusOf } from '@prosa/kernel/consumers/engine/consumer-status'
import { holdEpoch } from '@prosa/kernel/consumers/engine/epochs'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import { beginning, type EventStore, type Position, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { transaction } from '@prosa/kernel/postgres/pool'
import type { PoolClient } from 'pg'
import { type FollowedWebhook, type FollowedWebhooks, followedWebhooks } from './followed-webhooks.ts'
import {
  type CallStream,
  countWaiting,
  deleteCalls,
  failWaiting,
  insertCalls,
  lockWebhooks,
  promoteFirst,
  type QueuedCall,
  repeatFailed,
} from './queries.ts'
import { type SendDeps, sendCalls } from './send-calls.ts'
import type { WebhookEvent } from './webhook.ts'

interface DeliverDeps extends ConsumeDeps, SendDeps {
  codec: Codec
  /** 50,000 by default: then the webhook is disabled. */
  maxWaiting?: number
}

const name = 'webhook-calls'
const checkpointName = `webhooks ${name}`
const version = 1
/** Over events that no webhook wants, which cost little to pass again. */
const passingMs = 15_000

const publishedTypes = new Map<string, string>(catalogue.map(({ from, type }) => [from, type]))
const isOfWebhooks = ({ stream }: { stream: string }) => categoryOf(stream) === 'webhook'

/**
 * One process reads the log and queues a call for each event that a webhook wants, in one transaction with its checkpoint; the same process
 * sends, so that another one's late writes are refused by the epoch.
 */
export const deliverWebhooks = (deps: DeliverDeps, signal: AbortSignal, statuses: ConsumerStatuses): Promise<void> => {
  const status = statusOf(statuses, name)
  const consumer = {
    kind: 'webhooks',
    name,
    categories: [...publishedStreams, 'webhook'],
    processes: 'one',
    concerns: (event: RecordedEvent) => isOfWebhooks(event) || publishedTypes.has(event.type as EventType),
  } as const
  return consume(consumer, deps, (session) => openDelivery(deps, status, session), status, signal)
}

/** The webhooks as they were at this position. */
const webhooksAt = async ({ store, codec }: { store: EventStore; codec: Codec }, position: Position) => {
  const followed = followedWebhooks()
  for await (const { events } of store.readAll(beginning, { categories: ['webhook'] }))
    for (const event of await codec.decode(events.filter((each) => each.position <= position)))
      followed.apply(event as Stored<WebhookEvent>)
  return followed
}

const openDelivery = async (deps: DeliverDeps, status: ConsumerStatus, session: Session): Promise<Handling> => {
  const { pool, counts } = deps
  const from = await loadCheckpoint(pool, checkpointName, version)
  const followed = await webhooksAt(deps, from)
  counts.waiting = await countWaiting(pool)
  const waking = wakeSignal()
  let [reached, saved, savedAt] = [from, from, performance.now()]
  status.position = from
  const save = async () => {
    if (reached === saved) return
    await saveInEpoch(pool, session.epoch, { name: checkpointName, version, position: reached })
    ;[saved, savedAt] = [reached, performance.now()]
  }
  let isTaking = false
  let saving = Promise.resolve()
  /** Also where nothing follows; never beside a batch, whose checkpoint it would set back. */
  const saveInTurn = async () => {
    while (!session.until.aborted) {
      await pause(passingMs, session.until)
      if (isTaking || !session.isMine()) continue
      saving = save()
      await saving
    }
  }
  const take = async ({ events, upTo }: Page) => {
    const steps = await stepsOf(deps, events, followed)
    if (steps.length > 0) {
      await transaction(pool, async (db) => {
        await holdEpoch(db, session.epoch)
        await queueCalls(db, steps, deps)
        await saveCheckpoint(db, checkpointName, version, upTo)
      })
      ;[saved, savedAt] = [upTo, performance.now()]
      await disableBeyond(deps, steps, followed)
      waking.wake()
    }
    reached = upTo
    status.position = upTo
    status.events += events.length
    status.batches++
    if (performance.now() - savedAt >= passingMs) await save()
  }
  return {
    from,
    async take(page) {
      isTaking = true
      try {
        await saving
        await take(page)
        return true
      } finally {
        isTaking = false
      }
    },
    beside: async () => {
      await Promise.all([sendCalls(deps, followed, waking, session), saveInTurn()])
    },
    async finish() {
      if (session.isMine()) await save()
    },
  }
}

type Step =
  | { do: 'queue'; calls: QueuedCall[] }
  | { do: 'repeat'; webhookId: string; eventId: string | null }
  | { do: 'fail' | 'delete'; webhookId: string }

/** Changes `followed` as it goes: a failure afterwards must end the session. */
const stepsOf = async (
  { codec }: Pick<DeliverDeps, 'codec'>,
  events: readonly RecordedEvent[],
  followed: FollowedWebhooks,
): Promise<Step[]> => {
  const steps: Step[] = []
  const queue = (calls: QueuedCall[]) => {
    const last = steps.at(-1)
    if (last?.do === 'queue') last.calls.push(...calls)
    else if (calls.length > 0) steps.push({ do: 'queue', calls })
  }
  for (const event of events) {
    if (!isOfWebhooks(event)) {
      queue(callsOf(event, followed))
      continue
    }
    const [decoded] = (await codec.decode([event])) as Stored<WebhookEvent>[]
    if (!decoded) continue
    followed.apply(decoded)
    const { type, data } = decoded
    if (type === 'WebhookTestRequested') queue([testOf(decoded)])
    if (type === 'WebhookRepeatRequested') steps.push({ do: 'repeat', ...data })
    if (type === 'WebhookDisabled') steps.push({ do: 'fail', webhookId: data.webhookId })
    if (type === 'WebhookRemoved') steps.push({ do: 'delete', webhookId: data.webhookId })
  }
  return steps
}

const callsOf = (event: RecordedEvent, followed: FollowedWebhooks): QueuedCall[] => {
  const type = publishedTypes.get(event.type)
  const { id: eventId, stream, metadata, position, revision } = event
  const tenant = type === undefined ? null : tenantOf({ stream, metadata })
  if (type === undefined || tenant === null) return []
  const wanting = followed.of(tenant).filter((each) => each.status !== 'disabled' && each.types.has(type))
  return wanting.map(({ id: webhookId }) => ({
    ...{ webhookId, eventId, tenant, position, stream, revision, type },
    recordedAt: metadata.recordedAt,
  }))
}

const testOf = ({ id, metadata, data, position, stream }: Stored<WebhookEvent>): QueuedCall => ({
  ...{ webhookId: data.webhookId, eventId: id, position, stream: null, revision: null, type: webhookTestType },
  tenant: metadata.tenant ?? stream,
  recordedAt: metadata.recordedAt,
})

const queueCalls = async (
  db: PoolClient,
  steps: readonly Step[],
  { clock, counts }: Pick<DeliverDeps, 'clock' | 'counts'>,
): Promise<void> => {
  const { waiting } = counts
  const now = clock.now()
  const add = (id: string, more: number) => waiting.set(id, (waiting.get(id) ?? 0) + more)
  await lockWebhooks(db, webhooksOf(steps))
  for (const step of steps) {
    if (step.do === 'queue') {
      for (const [id, count] of await insertCalls(db, step.calls, now)) add(id, count)
      await promoteFirst(db, step.calls.filter(hasStream), now)
    } else if (step.do === 'repeat') {
      add(step.webhookId, await repeatFailed(db, step.webhookId, step.eventId, now))
    } else if (step.do === 'fail') {
      await failWaiting(db, step.webhookId, { at: now, status: null, durationMs: 0, failure: 'disabled' })
      waiting.delete(step.webhookId)
    } else {
      await deleteCalls(db, step.webhookId)
      waiting.delete(step.webhookId)
    }
  }
}

const hasStream = ({ stream }: CallStream) => stream !== null

const webhooksOf = (steps: readonly Step[]) =>
  new Set(steps.flatMap((step) => ('calls' in step ? step.calls.map(({ webhookId }) => webhookId) : [step.webhookId])))

const usualMaxWaiting = 50_000

/** Else one that never answers would fill the table. */
const disableBeyond = async (
  { handle, counts, maxWaiting = usualMaxWaiting }: DeliverDeps,
  steps: readonly Step[],
  followed: FollowedWebhooks,
): Promise<void> => {
  const beyond = (webhook: FollowedWebhook | undefined) =>
    webhook && webhook.status !== 'disabled' && (counts.waiting.get(webhook.id) ?? 0) > maxWaiting ? [webhook] : []
  const eventId = steps.flatMap((step) => ('calls' in step ? step.calls : [])).at(-1)?.eventId
  if (eventId === undefined) return
  for (const { id: webhookId, tenant } of [...webhooksOf(steps)].flatMap((id) => beyond(followed.find(id))))
    await handle(
      tenant,
      { type: 'DisableWebhook', data: { webhookId, cause: 'backlog' } },
      {
        commandId: deriveId('webhook disabled', webhookId, eventId),
        actor: { kind: 'system', id: 'webhooks' },
        ...{ tenant, causationId: eventId, correlationId: eventId },
      },
    )
}
