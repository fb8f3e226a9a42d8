import { setMaxListeners } from 'node:events'
import { allEvents } from '@prosa/contracts/events/all-events'
import type { Pool } from 'pg'
import { pause } from '../../async/pause.ts'
import { retry } from '../../async/retry.ts'
import type { Clock } from '../../clock.ts'
import type { EventStore, Position, RecordedEvent } from '../../event-store/port.ts'
import type { Logger } from '../../observability/log.ts'
import { workInProgress } from '../../observability/work-in-progress.ts'
import { exclusively } from '../../postgres/exclusively.ts'
import type { ConsumerStatus } from './consumer-status.ts'
import { type Epoch, takeOver } from './epochs.ts'
import { loggable, nameOf } from './loggable.ts'

export interface Consumer {
  kind: string
  name: string
  categories: readonly string[]
  /** Default: all. */
  concerns?: (event: RecordedEvent) => boolean
  /**
   * `one`: only the holder of the lock `<kind> <name>`, whose epoch fences former holders' writes. `each`: every process, without either.
   */
  processes: 'one' | 'each'
  /** Of what it folds: one of another release is not shared with, as each would build its own. */
  version?: number
  /** Backoff in milliseconds, 500 by default; the lock stays held. */
  pauseAfter?: (error: unknown) => number
}

export interface ConsumeDeps {
  store: EventStore
  clock: Clock
  log: Logger
  pool: Pool
  databaseUrl: string
  /** See `exclusively`; only tests change it. */
  silenceMs?: number | undefined
}

/** From the lock, or the last failure, to the next. */
export interface Session {
  epoch: Epoch
  /** Aborts on shutdown, loss of the lock, or end of the session. */
  until: AbortSignal
  /** False once another process may hold the lock; a frozen process must ask. */
  isMine: () => boolean
  /** Another session follows after the backoff. */
  end: (error: unknown) => void
  /** Another session follows at once; later failures of this one are ignored. */
  renew: () => void
}

export interface Page {
  events: readonly RecordedEvent[]
  /** Including irrelevant ones. */
  passed: number
  upTo: Position
  live: boolean
}

export interface Handling {
  from: Position
  /** The next page waits for it; false stops until the session ends. */
  take: (page: Page) => Promise<boolean>
  /** Its failure ends the session. */
  beside?: () => Promise<void>
  /** Runs however the reading ended. */
  finish?: () => Promise<void>
}

/** Undefined: the consumer stops until the process restarts. */
export type Strategy = (session: Session) => Promise<Handling | undefined>

/** Handled types, and types unknown to today's code, which the codec refuses. */
export const handledBy =
  (on: object) =>
  ({ type }: RecordedEvent): boolean =>
    Object.hasOwn(on, type) || !Object.hasOwn(allEvents, type)

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Equals the lock retry of `exclusively`. */
const retryMs = 500

interface Running {
  consumer: Consumer
  deps: ConsumeDeps
  strategy: Strategy
  status: ConsumerStatus
}

const workerOf = ({ kind, name }: Consumer) => `${kind} ${name}`

/** True: restart at once. */
const runSession = async (
  { consumer, deps, strategy, status }: Running,
  lease: AbortSignal,
  isMine: () => boolean,
): Promise<boolean> => {
  const worker = workerOf(consumer)
  const ending = new AbortController()
  const until = AbortSignal.any([lease, ending.signal])
  // Node warns of a leak from the eleventh listener on.
  setMaxListeners(0, until)
  const failures: unknown[] = []
  let isRenewed = false
  const end = (error: unknown) => {
    failures.push(error)
    ending.abort(error)
  }
  const renew = () => {
    if (ending.signal.aborted) return
    isRenewed = true
    ending.abort()
  }
  const epoch = consumer.processes === 'one' ? await takeOver(deps.pool, worker) : { worker, epoch: '' }
  const handling = await strategy({ epoch, until, isMine, end, renew })
  if (!handling) {
    await aborted(lease)
    return false
  }
  const beside = handling.beside?.().catch(end)
  try {
    await follow(consumer, deps, handling, status, until)
  } catch (error) {
    if (!isRenewed) throw error
  } finally {
    // Retries must end, or the lock is held for nothing.
    ending.abort()
    await beside
    await handling.finish?.()
    status.state = 'waiting'
  }
  if (failures.length > 0 && !isRenewed) throw failures[0]
  return isRenewed && !lease.aborted
}
/** Restarts failed sessions and keeps the status. */
export const consume = (
  consumer: Consumer,
  deps: ConsumeDeps,
  strategy: Strategy,
  status: ConsumerStatus,
  signal: AbortSignal,
): Promise<void> => {
  const { kind, name, processes, version = 0, pauseAfter = () => retryMs } = consumer
  const { log, databaseUrl, silenceMs } = deps
  const running = { consumer, deps, strategy, status }

  const interrupted = (error: unknown) => {
    status.state = 'interrupted'
    status.trouble = { reason: nameOf(error) }
    log.warn({ [kind]: name, ...loggable(error) }, `${kind} interrupted`)
  }

  const runSessions = async (lease: AbortSignal, isMine: () => boolean): Promise<void> => {
    while (await runSession(running, lease, isMine));
  }

  if (processes === 'each') {
    const session = () => runSessions(signal, () => !signal.aborted)
    return retry(session, { signal, pauseAfter: (_, error) => pauseAfter(error), onFailure: interrupted })
  }
  const session = async (lease: AbortSignal, isMine: () => boolean): Promise<void> => {
    try {
      await runSessions(lease, isMine)
    } catch (error) {
      const ms = pauseAfter(error)
      if (ms <= retryMs) throw error
      interrupted(error)
      await pause(ms, lease)
    }
  }
  // A rebuild would begin anew elsewhere.
  const isMovable = () => status.state !== 'rebuilding' && status.progress === undefined
  return exclusively(databaseUrl, workerOf(consumer), signal, session, {
    onTrouble: interrupted,
    isMovable,
    generation: version,
    silenceMs,
  })
}

const follow = async (
  { kind, name, categories, concerns = () => true }: Consumer,
  { store, clock }: ConsumeDeps,
  handling: Handling,
  status: ConsumerStatus,
  until: AbortSignal,
): Promise<void> => {
  status.state = 'catching up'
  const worker = `${kind} ${name}`
  for await (const { events, upTo, live } of store.subscribe(handling.from, { categories }, until)) {
    const concerning = events.filter(concerns)
    if (concerning.length > 0) status.state = 'catching up'
    const work = workInProgress.begin(worker, undefined, concerning)
    const goesOn = await handling
      .take({ events: concerning, passed: events.length, upTo, live })
      .finally(() => workInProgress.end(work))
    if (!goesOn) return aborted(until)
    status.handedOut = upTo
    status.state = live ? 'following' : 'catching up'
    if (!live) continue
    status.caughtUpAt = clock.now()
    delete status.trouble
  }
}
