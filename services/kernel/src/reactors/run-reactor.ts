import { setMaxListeners } from 'node:events'
import { allEvents } from '@prosa/contracts/events/all-events'
import type { Stored } from '../event-store/codec.ts'
import type { Position, RecordedEvent } from '../event-store/port.ts'
import { lruMap } from '../lru-map.ts'
import { correlated } from '../observability/correlation.ts'
import type { Ports } from '../ports.ts'
import { exclusively } from '../postgres/exclusively.ts'
import { loadCheckpoint } from '../read-models/checkpoints.ts'
import { type Decoded, decodeEach } from './decode-each.ts'
import { failureOf } from './failure.ts'
import { keyQueues } from './key-queues.ts'
import { parkedWorkHandler, parkedWorkId } from './parked-work.ts'
import { parkingLot } from './parking-lot.ts'
import { progress } from './progress.ts'
import { Overtaken } from './queries.ts'
import type { Reactor } from './reactor.ts'
import type { ReactorFigures } from './reactor-figures.ts'
import { passingPause, pauseUntil, type Tried, triesWithinAMinute, tryOften } from './try-often.ts'

export interface ReactorDeps extends Pick<Ports, 'store' | 'codec' | 'clock' | 'pool' | 'databaseUrl' | 'log'> {
  box: Pick<Ports['box'], 'fingerprint'>
  /** Milliseconds between the tries of an event that may be at fault itself; after the last one its key is parked. */
  pauses?: readonly number[]
  /** See `exclusively`; only tests change it. */
  silenceMilliseconds?: number
}

/** Reactors in trouble, by name: how many keys are being tried again, and the latest reason. Parked keys are not among them. */
export type ReactorHealth = Map<string, { failing: number; reason: string }>

const version = 1
const maxInFlight = 1000
/** Of what waits behind failing keys so much does not count as in flight, so that other keys need not wait for their tries. */
const maxHeldUp = 10_000
const mostIds = 1000
const tendMilliseconds = 200
/** What only passed by costs nothing to pass again after a crash: it is written down less often. */
const passingMilliseconds = 2000

const workerName = (reactor: Reactor): string => `reactor ${reactor.name}`

/** Whether an event means something to the reactor; of one that nobody knows this cannot be told. */
const concerns = ({ on }: Reactor, { type }: RecordedEvent) =>
  Object.hasOwn(on, type) || !Object.hasOwn(allEvents, type)

/**
 * Runs a reactor from its checkpoint until the signal aborts, in one process at a time. While the store or the database is
 * away, events wait. An event that fails otherwise is tried a few times, then its key is parked: later events of the key wait
 * behind it in order, the others go on, until an administrator has it retried or released. An event that cannot be decoded
 * has the key of its stream: where a reactor's keys are others, what it should have preceded cannot be known.
 */
export const runReactor = (
  reactor: Reactor,
  { store, codec, clock, pool, databaseUrl, box, log, pauses = triesWithinAMinute, silenceMilliseconds }: ReactorDeps,
  signal: AbortSignal,
  health: ReactorHealth,
  figures: ReactorFigures = new Map(),
): Promise<void> => {
  const worker = workerName(reactor)
  const works = parkedWorkHandler({ store, codec, clock })
  const interrupted = (error: unknown) => log.warn({ reactor: reactor.name, err: error }, 'reactor interrupted')

  const work = async (lock: AbortSignal, isMine: () => boolean) => {
    const ending = new AbortController()
    const until = AbortSignal.any([lock, ending.signal])
    // Each key that waits for its next try listens; Node would warn of a leak from the eleventh on.
    setMaxListeners(0, until)
    const load = () => loadCheckpoint(pool, reactor.name, version)
    const lot = await parkingLot({ worker, pool, store, clock, works }, { name: reactor.name, version, load })
    const done = progress(lot.checkpoint)
    const queues = keyQueues()
    const ids = lruMap<string, string>(mostIds)
    /** A fingerprint, of the same few people again and again. */
    const idOf = (key: string): string => {
      const known = ids.get(key)
      if (known !== undefined) return known
      const id = parkedWorkId(box, worker, key)
      ids.set(key, id)
      return id
    }
    const failing = new Map<string, string>()
    const inDoubt = new Set<string>()
    let saved = lot.checkpoint
    let hasHandled = false
    let handedOut = lot.checkpoint
    figures.set(reactor.name, () => ({ position: done.reached(), handedOut, inFlight: done.unfinished() }))
    let wake: () => void = () => undefined
    until.addEventListener('abort', () => wake(), { once: true })

    const failed = (id: string, reason: string | undefined) => {
      if (reason === undefined ? !failing.delete(id) : failing.get(id) === reason) return
      if (reason !== undefined) failing.set(id, reason)
      const latest = [...failing.values()].at(-1)
      if (latest === undefined) health.delete(reactor.name)
      else health.set(reactor.name, { failing: failing.size, reason: latest })
    }

    /** Repeats what must be stored; false when it no longer may be. */
    const persist = async (id: string, write: () => Promise<void>): Promise<boolean> => {
      for (let attempt = 0; !until.aborted; attempt++) {
        try {
          await write()
          failed(id, undefined)
          return true
        } catch (error) {
          if (error instanceof Overtaken) ending.abort(error)
          if (until.aborted) return false
          interrupted(error)
          failed(id, failureOf(error, attempt).errorName)
          await pauseUntil(passingPause(attempt), until)
        }
      }
      return false
    }

    const handle = async (id: string, event: Stored): Promise<Tried> => {
      const handler = reactor.on[event.type] as ((event: Stored) => Promise<void>) | undefined
      if (!handler) return { state: 'done' }
      const onFailure = (error: unknown, isPassing: boolean) => {
        failed(id, failureOf(error, 0).errorName)
        if (!isPassing) inDoubt.add(id)
        wake()
        log.error({ reactor: reactor.name, event: event.id, position: event.position, err: error }, 'reactor failed')
      }
      const tried = await tryOften(() => handler(event), { pauses, until, onFailure })
      inDoubt.delete(id)
      failed(id, undefined)
      return tried
    }

    const handleDecoded = async (id: string, { outcome }: Decoded): Promise<Tried> => {
      if ('event' in outcome) return handle(id, outcome.event)
      return { state: 'failed', failure: failureOf(outcome.error, 1) }
    }

    /** True once the event needs no further care from here: it was handled, or is safely in its key's line. */
    const settle = async (id: string, decoded: Decoded): Promise<boolean> => {
      if (!isMine() || until.aborted) return false
      const { recorded } = decoded
      if (lot.isParked(id)) return persist(id, () => lot.parkBehind(id, recorded))
      const tried = await handleDecoded(id, decoded)
      if (tried.state !== 'failed') return tried.state === 'done'
      const { failure } = tried
      log.error({ reactor: reactor.name, event: recorded.id, parkedWork: id, failure }, 'key parked')
      return persist(id, () => lot.park(id, recorded, failure))
    }

    const keyed = (decoded: Decoded): { key: string; decoded: Decoded } => {
      const { outcome, recorded } = decoded
      if ('error' in outcome) return { key: recorded.stream, decoded }
      try {
        return { key: reactor.key(outcome.event), decoded }
      } catch (error) {
        return { key: recorded.stream, decoded: { recorded, outcome: { error } } }
      }
    }

    const start = (found: Decoded) => {
      const { key, decoded } = keyed(found)
      const id = idOf(key)
      const finish = done.begin(decoded.recorded.position)
      void queues.enqueue(id, async () => {
        if (!(await correlated(decoded.recorded.metadata.correlationId, () => settle(id, decoded)))) return
        finish()
        hasHandled = true
        wake()
      })
    }

    const hasRoom = () => {
      let heldUp = 0
      for (const id of inDoubt) heldUp += queues.length(id)
      return done.unfinished() - Math.min(heldUp, maxHeldUp) < maxInFlight
    }
    const room = async () => {
      while (!hasRoom() && !until.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }

    const draining = new Set<string>()
    const drain = (id: string) => {
      if (draining.has(id)) return
      draining.add(id)
      const again = async (recorded: RecordedEvent): Promise<Tried> => {
        const [decoded] = await decodeEach(codec, [recorded])
        if (!decoded || !isMine()) return { state: 'aborted' }
        return correlated(recorded.metadata.correlationId, () => handleDecoded(id, decoded))
      }
      void queues.enqueue(id, async () => {
        await persist(id, () => lot.drain(id, again))
        draining.delete(id)
      })
    }

    const save = async (position: Position) => {
      if (position === saved) return
      await lot.saveCheckpoint(position)
      saved = position
    }
    let savedAt = performance.now()
    const tend = async () => {
      if (hasHandled || performance.now() - savedAt >= passingMilliseconds) {
        hasHandled = false
        savedAt = performance.now()
        await save(done.reached())
      }
      if (!lot.isEmpty()) for (const id of await lot.attend()) drain(id)
    }
    const tendingFailed = (error: unknown) => {
      if (error instanceof Overtaken) ending.abort(error)
      interrupted(error)
    }
    let tending: Promise<void> | undefined
    const timer = setInterval(() => {
      tending ??= tend()
        .catch(tendingFailed)
        .finally(() => {
          tending = undefined
        })
    }, tendMilliseconds)

    try {
      for await (const { events, upTo } of store.subscribe(saved, { categories: reactor.categories }, until)) {
        const concerning = events.filter((event) => concerns(reactor, event) && !lot.knows(event.position))
        for (const decoded of concerning.length === 0 ? [] : await decodeEach(codec, concerning)) {
          await room()
          start(decoded)
        }
        done.pass(upTo)
        handedOut = upTo
      }
    } finally {
      // Whatever ended the reading: nobody goes on trying, or the lock would be held for nothing.
      ending.abort()
      clearInterval(timer)
      await tending
      await queues.idle()
      await save(done.reached()).catch(interrupted)
      health.delete(reactor.name)
      figures.delete(reactor.name)
    }
  }

  return exclusively(databaseUrl, worker, signal, work, { onTrouble: interrupted, silenceMilliseconds })
}
