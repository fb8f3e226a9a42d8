import type { Pool } from 'pg'
import { concurrencyLimit } from '../../async/concurrency-limit.ts'
import { type KeyedQueue, keyedQueue } from '../../async/keyed-queue.ts'
import { repeat } from '../../async/retry.ts'
import { type WakeSignal, wakeSignal } from '../../async/wake-signal.ts'
import type { Clock } from '../../clock.ts'
import type { Codec, Stored } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/port.ts'
import { lruMap } from '../../lru-map.ts'
import { correlated } from '../../observability/correlation.ts'
import type { Logger } from '../../observability/log.ts'
import { traced } from '../../observability/tracing.ts'
import { workInProgress } from '../../observability/work-in-progress.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import { loadCheckpoint } from './checkpoints.ts'
import type { Page, Session, Strategy } from './consume.ts'
import type { ConsumerStatus } from './consumer-status.ts'
import { type Decoded, decodeEach } from './decode-each.ts'
import { Overtaken } from './epochs.ts'
import { failingKeys } from './failing-keys.ts'
import { loggable } from './loggable.ts'
import { parkedWorkHandler, parkedWorkId } from './parked-work.ts'
import { type ParkingLot, parkingLot } from './parking-lot.ts'
import { type Progress, progress } from './progress.ts'
import { pausesWithinAMinute } from './retry-work.ts'
import { type EventSettler, eventSettler } from './settle-event.ts'

/** At least once; ids derived from the event make effects idempotent. */
export interface EventHandler {
  kind: string
  name: string
  version: number
  /** Events of one key run serially in log order; keys are independent. */
  key: (event: Stored) => string
  handle: (event: Stored) => Promise<void>
  /** Concurrency limit; default: one per key. */
  atOnce?: number | undefined
}

export interface PerKeyDeps {
  store: EventStore
  codec: Codec
  clock: Clock
  pool: Pool
  log: Logger
  box: Pick<SecretBox, 'fingerprint'>
  /** Backoff in milliseconds; then the key is parked. */
  pauses?: readonly number[]
}

const maxInFlight = 1000
/** So many events behind failing keys do not count as in flight: other keys go on. */
const maxBlockedEvents = 10_000
const maxIds = 1000
const attendMs = 200
/** How often the checkpoint is saved; a crash repeats the events since then, also where an address was released meanwhile. */
const savingMs = 200
/** Over irrelevant events: passing them again is cheap. */
const passingMs = 2000
const roomMs = 60_000

export const hasRoom = (inFlight: number, blockedEvents: number): boolean =>
  inFlight - Math.min(blockedEvents, maxBlockedEvents) < maxInFlight

/**
 * Transient failures wait; others are retried, then park the key: its events queue in order until an administrator decides, other keys go
 * on. An undecodable event uses its stream as the key, so order is lost where keys are not streams.
 */
export const perKey =
  (handler: EventHandler, deps: PerKeyDeps, status: ConsumerStatus): Strategy =>
  async (session) => {
    const { name, version } = handler
    const { pool, store, clock } = deps
    const works = parkedWorkHandler(deps)
    const load = () => loadCheckpoint(pool, name, version)
    const lot = await parkingLot({ epoch: session.epoch, pool, store, clock, works }, { name, version, load })
    const from = lot.checkpoint
    status.position = from
    status.handedOut = from
    status.inFlight = 0
    const work = keyedWork(handler, deps, status, session, lot)
    return { from, take: work.take, beside: work.attend, finish: work.finish }
  }

interface InHand {
  done: Progress
  queue: KeyedQueue
  waking: WakeSignal
  settler: EventSettler
  idOf: (key: string) => string
}

const keyedWork = (
  handler: EventHandler,
  { codec, log, box, pauses = pausesWithinAMinute }: PerKeyDeps,
  status: ConsumerStatus,
  session: Session,
  lot: ParkingLot,
) => {
  const { kind, name, atOnce } = handler
  const limit = concurrencyLimit({ atOnce: atOnce ?? Number.POSITIVE_INFINITY })
  const worker = `${kind} ${name}`
  const handle = (event: Stored) =>
    limit.run(async () => {
      const work = workInProgress.begin(worker, event.metadata.tenant)
      try {
        const about = { 'prosa.consumer': worker, 'prosa.event': event.type }
        await traced(worker, about, () => handler.handle(event), event.metadata.correlationId)
      } finally {
        workInProgress.end(work)
      }
    })
  const { until } = session
  const labels = { [kind]: name }
  const failing = failingKeys(status)
  const waking = wakeSignal()
  const settling = { labels, kind, handle, pauses, codec, log, lot, failing, session, onDoubt: waking.wake }
  const inHand: InHand = {
    done: progress(lot.checkpoint),
    queue: keyedQueue(),
    waking,
    settler: eventSettler(settling),
    idOf: idsOf(box, worker),
  }
  const { done, queue, settler } = inHand
  const saving = savings(lot, done)

  const take = async ({ events, upTo }: Page): Promise<boolean> => {
    const unknown = events.filter(({ position }) => !lot.knows(position))
    for (const decoded of unknown.length === 0 ? [] : await decodeEach(codec, unknown)) {
      await room(inHand, until)
      start(inHand, keyed(handler, decoded), status, saving.handled)
    }
    done.pass(upTo)
    status.position = done.reached()
    return true
  }

  const draining = new Set<string>()
  const drain = (id: string) => {
    if (draining.has(id)) return
    draining.add(id)
    void queue.run(id, () => settler.drain(id).finally(() => draining.delete(id)))
  }
  const attend = async () => {
    await saving.saveIfDue()
    if (!lot.isEmpty()) for (const id of await lot.attend()) drain(id)
  }
  const interrupted = (error: unknown) => {
    if (error instanceof Overtaken) session.end(error)
    log.warn({ ...labels, ...loggable(error) }, `${kind} interrupted`)
  }

  return {
    take,
    attend: () => repeat(attend, { signal: until, pauseAfter: () => attendMs, onFailure: interrupted }),
    async finish() {
      await queue.idle()
      await saving.save().catch(interrupted)
      failing.clear()
    },
  }
}

/** Cache: fingerprints repeat for few keys. */
const idsOf = (box: Pick<SecretBox, 'fingerprint'>, worker: string) => {
  const ids = lruMap<string, string>(maxIds)
  return (key: string): string => {
    const known = ids.get(key)
    if (known !== undefined) return known
    const id = parkedWorkId(box, worker, key)
    ids.set(key, id)
    return id
  }
}

const keyed = ({ key }: EventHandler, decoded: Decoded): { key: string; decoded: Decoded } => {
  const { outcome, recorded } = decoded
  if ('error' in outcome) return { key: recorded.stream, decoded }
  try {
    return { key: key(outcome.event), decoded }
  } catch (error) {
    return { key: recorded.stream, decoded: { recorded, outcome: { error } } }
  }
}

const start = (
  { done, queue, waking, settler, idOf }: InHand,
  { key, decoded }: { key: string; decoded: Decoded },
  status: ConsumerStatus,
  onHandled: () => void,
) => {
  const { position, metadata } = decoded.recorded
  const id = idOf(key)
  const finish = done.begin(position)
  status.inFlight = done.unfinished()
  void queue.run(id, async () => {
    if (!(await correlated(metadata.correlationId, () => settler.settle(id, decoded)))) return
    finish()
    status.inFlight = done.unfinished()
    status.position = done.reached()
    onHandled()
    waking.wake()
  })
}

const room = async ({ done, queue, settler, waking }: InHand, until: AbortSignal) => {
  const blockedEvents = () => {
    let events = 0
    for (const id of settler.inDoubt) events += queue.length(id)
    return events
  }
  while (!hasRoom(done.unfinished(), blockedEvents()) && !until.aborted) await waking.wait(roomMs, until)
}

/** Sooner after handled events than after irrelevant ones. */
const savings = (lot: ParkingLot, done: Progress) => {
  let saved = lot.checkpoint
  let savedAt = performance.now()
  let hasHandled = false
  const save = async () => {
    const position = done.reached()
    if (position === saved) return
    await lot.saveCheckpoint(position)
    saved = position
  }
  return {
    save,
    handled() {
      hasHandled = true
    },
    async saveIfDue() {
      if (performance.now() - savedAt < (hasHandled ? savingMs : passingMs)) return
      hasHandled = false
      savedAt = performance.now()
      await save()
    },
  }
}
