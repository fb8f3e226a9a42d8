import type { WebhookAttempt } from '@prosa/contracts/http/webhooks'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { repeat } from '@prosa/kernel/async/retry'
import type { WakeSignal } from '@prosa/kernel/async/wake-signal'
import { type Clock, later } from '@prosa/kernel/clock'
import type { Session } from '@prosa/kernel/consumers/engine/consume'
import { holdEpoch, Overtaken } from '@prosa/kernel/consumers/engine/epochs'
import { transientPauseMs } from '@prosa/kernel/consumers/engine/retry-work'
import { deriveId } from '@prosa/kernel/derive-id'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Logger } from '@prosa/kernel/observability/log'
import { transaction } from '@prosa/kernel/postgres/pool'
import type { Pool } from 'pg'
import type { sendCall } from './call-request.ts'
import type { FollowedWebhook, FollowedWebhooks } from './followed-webhooks.ts'
import {
  type DueCall,
  deleteRecordedBefore,
  findDue,
  finishAttempt,
  hasDeliveredSince,
  lockWebhooks,
  type Outcome,
  outcomeOf,
  promoteFirst,
} from './queries.ts'
import type { WebhookHandler } from './webhook-handler.ts'

export interface SendDeps {
  pool: Pool
  clock: Clock
  log: Logger
  handle: WebhookHandler
  send: ReturnType<typeof sendCall>
  counts: CallCounts
  /** Default: 1 s. */
  pollMs?: number
  /** Pause of an address after failures in a row; by default from 1 s to 5 min. */
  coolMs?: (failures: number) => number
}

export interface CallCounts {
  /** By webhook. */
  waiting: Map<string, number>
  delivered: number
  failed: number
  /** Attempts that another one follows. */
  retried: number
}

/** Others do not wait for a slow address, and it is not asked too much at once. */
const maxPerWebhook = 4
const maxAtOnce = 256
/** Then one attempt at a time, with pauses, until one succeeds: a dead address has a call due for each conversation. */
const failuresToCool = 3
const cooling = { firstMs: 1000, maxMs: 5 * 60_000, spread: 0.2 }
const maxAttemptsShown = 20
const dayMs = 24 * 3_600_000
const retentionMs = 30 * dayMs
const cleanUpMs = 3_600_000

interface Address {
  underWay: number
  /** In a row. */
  failures: number
  /** Monotonic. */
  restsUntil: number
}

/** How much each address is asked at once. */
const pacing = ({ pollMs = 1000, coolMs = (failures) => backoffMs(failures, cooling) }: SendDeps) => {
  const addresses = new Map<string, Address>()
  const addressOf = (id: string) => {
    const address = addresses.get(id) ?? { underWay: 0, failures: 0, restsUntil: 0 }
    addresses.set(id, address)
    return address
  }
  const rest = (address: Address, ms: number) => {
    address.restsUntil = performance.now() + ms
  }
  return {
    /** None for one that rests, or is asked enough. */
    asked({ id, status }: FollowedWebhook) {
      const { underWay, failures, restsUntil } = addressOf(id)
      const free = (failures < failuresToCool ? maxPerWebhook : 1) - underWay
      if (free <= 0 || restsUntil > performance.now()) return []
      // What is under way is still due.
      return [{ id, max: free + underWay, free, onlyTests: status !== 'active' }]
    },
    begin(id: string) {
      addressOf(id).underWay++
    },
    /** `isGood`: undefined where nothing was sent. */
    end(id: string, isGood: boolean | undefined) {
      const address = addressOf(id)
      address.underWay--
      if (isGood === undefined) return rest(address, pollMs)
      address.failures = isGood ? 0 : address.failures + 1
      if (address.failures >= failuresToCool) rest(address, coolMs(address.failures - failuresToCool))
    },
  }
}

const keyOf = ({ webhookId, eventId, stream }: DueCall) => `${webhookId} ${stream ?? eventId}`

/** Sends what is due until the session ends, then waits for what is under way. */
export const sendCalls = async (
  deps: SendDeps,
  followed: FollowedWebhooks,
  waking: WakeSignal,
  session: Session,
): Promise<void> => {
  const { pool, clock, log, pollMs = 1000 } = deps
  const pace = pacing(deps)
  /** By webhook and stream: one after the other. */
  const inFlight = new Map<string, Promise<void>>()

  const start = (call: DueCall) => {
    const { webhookId, eventId } = call
    const onError = (error: unknown) => {
      if (error instanceof Overtaken) session.end(error)
      else log.warn({ webhook: webhookId, event: eventId, err: error }, 'webhook call interrupted')
      return undefined
    }
    const running = correlated(eventId, () => attempt(deps, call, session))
      .catch(onError)
      .then((isGood) => {
        pace.end(webhookId, isGood)
        inFlight.delete(keyOf(call))
        waking.wake()
      })
    pace.begin(webhookId)
    inFlight.set(keyOf(call), running)
  }

  const startDue = async (): Promise<number> => {
    const webhooks = [...followed.all()].flatMap(pace.asked)
    if (webhooks.length === 0) return 0
    const free = new Map(webhooks.map(({ id, free }) => [id, free]))
    // What finishes during the query may still be due in its answer.
    const before = new Set(inFlight.keys())
    const isUnderWay = (key: string) => before.has(key) || inFlight.has(key)
    let started = 0
    for (const call of await findDue(pool, webhooks, clock.now())) {
      const left = free.get(call.webhookId) ?? 0
      if (left === 0 || isUnderWay(keyOf(call)) || inFlight.size >= maxAtOnce || session.until.aborted) continue
      free.set(call.webhookId, left - 1)
      start(call)
      started++
    }
    return started
  }

  const cleanUp = cleaner(deps, session)
  const step = async () => {
    await cleanUp()
    if ((await startDue()) === 0) await waking.wait(pollMs, session.until)
  }
  await repeat(step, {
    signal: session.until,
    pauseAfter: (failures) => (failures === 0 ? 0 : transientPauseMs(failures - 1)),
    onFailure(error) {
      if (error instanceof Overtaken) session.end(error)
      else log.warn({ err: error }, 'webhooks interrupted')
    },
  })
  await Promise.all(inFlight.values())
}

const cleaner = ({ pool, clock }: SendDeps, { epoch }: Session) => {
  let cleanedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - cleanedAt < cleanUpMs) return
    const now = clock.now()
    const count = await transaction(pool, async (db) => {
      await holdEpoch(db, epoch)
      const deleted = await deleteRecordedBefore(db, later(now, -retentionMs))
      await promoteFirst(db, deleted.waited, now)
      return deleted.count
    })
    if (count === 0) cleanedAt = performance.now()
  }
}

/** True: the address took it. Undefined: nothing was sent, as the webhook is not what the caller thinks. */
const attempt = async (deps: SendDeps, call: DueCall, session: Session): Promise<boolean | undefined> => {
  const { clock, handle, send } = deps
  const { existing } = await handle.load(call.tenant, call.tenant)
  const webhook = existing.get(call.webhookId)
  if (!webhook || (webhook.status !== 'active' && call.stream !== null) || !session.isMine()) return undefined
  const at = clock.now()
  const began = performance.now()
  const answered = await send(call, webhook, at)
  const made = { at, ...answered, durationMs: Math.round(performance.now() - began) }
  await finish(deps, call, made, session)
  return made.failure === null || made.failure === 'unreadable'
}

const finish = async (deps: SendDeps, call: DueCall, made: WebhookAttempt, { epoch }: Session): Promise<void> => {
  const { pool, clock, counts } = deps
  const attempts = [...call.attempts, made].slice(-maxAttemptsShown)
  const now = clock.now()
  const outcome = outcomeOf(call, attempts, now)
  await transaction(pool, async (db) => {
    await holdEpoch(db, epoch)
    await lockWebhooks(db, [call.webhookId])
    await finishAttempt(db, call, attempts, outcome)
    if (outcome.status !== 'waiting' && call.stream !== null) await promoteFirst(db, [call], now)
  })
  count(counts, call, outcome)
  if (made.status === 410) await disable(deps, call, 'gone')
  else if (outcome.status === 'failed' && call.stream !== null && made.failure !== 'unreadable') {
    if (!(await hasDeliveredSince(pool, call.webhookId, call.firstTryAt ?? made.at)))
      await disable(deps, call, 'failing')
  }
}

const count = (counts: CallCounts, { webhookId }: DueCall, { status }: Outcome) => {
  if (status === 'waiting') return counts.retried++
  counts[status]++
  counts.waiting.set(webhookId, Math.max(0, (counts.waiting.get(webhookId) ?? 0) - 1))
}

/** A call that was given up disables the webhook where nothing else got through meanwhile. */
const disable = async (
  { handle, clock }: SendDeps,
  { webhookId, eventId, tenant }: DueCall,
  cause: 'gone' | 'failing',
) => {
  await handle(
    tenant,
    { type: 'DisableWebhook', data: { webhookId, cause } },
    {
      commandId: deriveId('webhook disabled', webhookId, eventId, clock.now()),
      actor: { kind: 'system', id: 'webhooks' },
      ...{ tenant, causationId: eventId, correlationId: eventId },
    },
  )
}
