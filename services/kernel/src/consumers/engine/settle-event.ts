import { retry } from '../../async/retry.ts'
import type { Codec, Stored } from '../../event-store/codec.ts'
import type { RecordedEvent } from '../../event-store/port.ts'
import { correlated } from '../../observability/correlation.ts'
import type { Logger } from '../../observability/log.ts'
import type { Session } from './consume.ts'
import { type Decoded, decodeEach } from './decode-each.ts'
import { Overtaken } from './epochs.ts'
import type { FailingKeys } from './failing-keys.ts'
import { failureOf } from './failure.ts'
import { loggable } from './loggable.ts'
import type { ParkingLot } from './parking-lot.ts'
import { retryWork, type Tried, transientPauseMs } from './retry-work.ts'

export interface SettleDeps {
  labels: Record<string, string>
  kind: string
  handle: (event: Stored) => Promise<void>
  pauses: readonly number[]
  codec: Codec
  log: Logger
  lot: ParkingLot
  failing: FailingKeys
  session: Session
  /** Its queued events no longer count as in flight. */
  onDoubt: () => void
}

export interface EventSettler {
  /** True once handled or parked. */
  settle(id: string, decoded: Decoded): Promise<boolean>
  drain(id: string): Promise<void>
  /** Keys under retry for a possible fault of their event. */
  inDoubt: ReadonlySet<string>
}

export const eventSettler = (deps: SettleDeps): EventSettler => {
  const { labels, kind, handle, pauses, codec, log, lot, failing, session, onDoubt } = deps
  const { until, isMine, end } = session
  const inDoubt = new Set<string>()

  /** False when the session has ended. */
  const persist = async (id: string, write: () => Promise<void>): Promise<boolean> => {
    const onFailure = (error: unknown, failures: number) => {
      if (error instanceof Overtaken) return end(error)
      log.warn({ ...labels, ...loggable(error) }, `${kind} interrupted`)
      failing.failed(id, failureOf(error, failures).errorName)
    }
    const written = await retry(() => write().then(() => true), {
      signal: until,
      pauseAfter: transientPauseMs,
      onFailure,
    })
    if (written) failing.recovered(id)
    return written ?? false
  }

  const tryEvent = async (id: string, event: Stored): Promise<Tried> => {
    const onFailure = (error: unknown, isTransientError: boolean) => {
      failing.failed(id, failureOf(error, 0).errorName)
      if (!isTransientError) {
        inDoubt.add(id)
        onDoubt()
      }
      const about = { ...labels, event: event.id, position: event.position, err: error }
      if (isTransientError) log.warn(about, `${kind} interrupted`)
      else log.error(about, `${kind} failed`)
    }
    const tried = await retryWork(() => handle(event), { pauses, until, onFailure })
    inDoubt.delete(id)
    failing.recovered(id)
    return tried
  }

  const tryDecoded = async (id: string, { outcome }: Decoded): Promise<Tried> =>
    'event' in outcome ? tryEvent(id, outcome.event) : { state: 'failed', failure: failureOf(outcome.error, 1) }

  const again = async (id: string, recorded: RecordedEvent): Promise<Tried> => {
    const [decoded] = await decodeEach(codec, [recorded])
    if (!decoded || !isMine()) return { state: 'aborted' }
    return correlated(recorded.metadata.correlationId, () => tryDecoded(id, decoded))
  }

  return {
    inDoubt,
    async settle(id, decoded) {
      if (!isMine() || until.aborted) return false
      const { recorded } = decoded
      if (lot.isParked(id)) return persist(id, () => lot.parkBehind(id, recorded))
      const tried = await tryDecoded(id, decoded)
      if (tried.state !== 'failed') return tried.state === 'done'
      const { failure } = tried
      log.error({ ...labels, event: recorded.id, parkedWork: id, failure }, 'key parked')
      return persist(id, () => lot.park(id, recorded, failure))
    },
    drain: async (id) => void (await persist(id, () => lot.drain(id, (event) => again(id, event)))),
  }
}
