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

/** Who reads which part of the log, and in how many processes. */
export interface Consumer {
  /** `reactor`, `projection`, `timers` and the like; in the log of the process it labels the name. */
  kind: string
  name: string
  categories: readonly string[]
  /** Whether an event is handed out; all are unless given. */
  concerns?: (event: RecordedEvent) => boolean
  /**
   * `one`: a single process at a time has the lock `<kind> <name>`, and with it a new epoch: what the process before it still
   * wants to store is refused. `each`: every process reads for itself, without lock and epoch.
   */
  processes: 'one' | 'each'
  /** How long a session that failed rests before the next, in milliseconds; half a second unless given. A lock is kept meanwhile. */
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

/** One stay in charge of a consumer: from the lock, or the last failure, to the next. */
export interface Session {
  epoch: Epoch
  /** Aborts when the process is to stop, the lock is lost, or the session was ended. */
  until: AbortSignal
  /** False once another process may be in charge, which a process that was frozen finds out only by asking. */
  isMine: () => boolean
  /** Ends the session with an error, after which another begins. */
  end: (error: unknown) => void
  /** Ends the session so that another begins at once: what it began with is not so any more. What fails from then on is left to that one. */
  renew: () => void
}

export interface Page {
  /** Those that concern the consumer, in log order. */
  events: readonly RecordedEvent[]
  /** How many there were, with those that do not concern it. */
  passed: number
  /** Everything up to here has been handed out with this page. */
  upTo: Position
  /** Whether that was the end of the log. */
  live: boolean
}

/** What a consumer does with the log in one session. */
export interface Handling {
  from: Position
  /** The next page comes once this resolves; false goes no further until the session ends. */
  take: (page: Page) => Promise<boolean>
  /** Work beside the reading, until the session ends; ends the session where it fails. */
  beside?: () => Promise<void>
  /** Finishes what is in hand once the reading has ended, however it did. */
  finish?: () => Promise<void>
}

/** Begins a session; undefined where it cannot go on before the process starts again. */
export type Strategy = (session: Session) => Promise<Handling | undefined>

/** The events that a record of handlers by type is for, and those that no code of today knows, which are for the codec to refuse. */
export const handledBy =
  (on: object) =>
  ({ type }: RecordedEvent): boolean =>
    Object.hasOwn(on, type) || !Object.hasOwn(allEvents, type)

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** As long as `exclusively` waits before it takes a lock again. */
const retryMs = 500

/**
 * Reads the log for one consumer until the signal aborts, and keeps its status. What is done with the pages, from where, and
 * how progress is stored is the strategy's: `perKey` or `batches`, or one of a consumer's own. A session that fails is begun anew.
 */
export const consume = (
  consumer: Consumer,
  deps: ConsumeDeps,
  strategy: Strategy,
  status: ConsumerStatus,
  signal: AbortSignal,
): Promise<void> => {
  const { kind, name, processes, pauseAfter = () => retryMs } = consumer
  const worker = `${kind} ${name}`
  const { pool, log, databaseUrl, silenceMs } = deps

  const interrupted = (error: unknown) => {
    status.state = 'interrupted'
    status.trouble = { reason: nameOf(error) }
    log.warn({ [kind]: name, ...loggable(error) }, `${kind} interrupted`)
  }

  /** Answers whether another one is to begin at once. */
  const runSession = async (held: AbortSignal, isMine: () => boolean): Promise<boolean> => {
    const ending = new AbortController()
    const until = AbortSignal.any([held, ending.signal])
    // Whatever waits in a session listens; Node would warn of a leak from the eleventh on.
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
    const epoch = processes === 'one' ? await takeOver(pool, worker) : { worker, epoch: '' }
    const handling = await strategy({ epoch, until, isMine, end, renew })
    if (!handling) {
      await aborted(held)
      return false
    }
    const beside = handling.beside?.().catch(end)
    try {
      await follow(consumer, deps, handling, status, until)
    } catch (error) {
      if (!isRenewed) throw error
    } finally {
      // Whatever ended the reading: nobody goes on trying, or the lock would be held for nothing.
      ending.abort()
      await beside
      await handling.finish?.()
      status.state = 'waiting'
    }
    if (failures.length > 0 && !isRenewed) throw failures[0]
    return isRenewed && !held.aborted
  }
  const runSessions = async (held: AbortSignal, isMine: () => boolean): Promise<void> => {
    while (await runSession(held, isMine));
  }

  if (processes === 'each') {
    const session = () => runSessions(signal, () => !signal.aborted)
    return retry(session, { signal, pauseAfter: (_, error) => pauseAfter(error), onFailure: interrupted })
  }
  const session = async (held: AbortSignal, isMine: () => boolean): Promise<void> => {
    try {
      await runSessions(held, isMine)
    } catch (error) {
      const ms = pauseAfter(error)
      if (ms <= retryMs) throw error
      interrupted(error)
      await pause(ms, held)
    }
  }
  return exclusively(databaseUrl, worker, signal, session, { onTrouble: interrupted, silenceMs })
}

/** Hands out pages from where the handling stands, until the signal aborts. */
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
