import { backoffMs } from '../../async/backoff.ts'
import { retry } from '../../async/retry.ts'
import type { Logger } from '../../observability/log.ts'
import { traced } from '../../observability/tracing.ts'
import type { ConsumerStatus } from './consumer-status.ts'
import { isTransient } from './failure.ts'
import { type Advance, inHalves, type OnFault, type Write } from './in-halves.ts'
import { loggable, nameOf } from './loggable.ts'

const maxAttempts = 5
const backoff = { firstMs: 100, maxMs: 1000, spread: 0 }

/** Retries permanent errors that are no event's fault, then stops the projection: false, as on abort. Throws transient errors. */
export const writeWithRetry = (
  write: Write,
  onFault: OnFault,
  { name, log, status, until }: { name: string; log: Logger; status: ConsumerStatus; until: AbortSignal },
): Advance => {
  const advance = inHalves(write, onFault)
  const isFinal = (failures: number, error: unknown) => isTransient(error) || failures + 1 === maxAttempts
  const pauseAfter = (failures: number, error: unknown) =>
    isFinal(failures, error) ? undefined : backoffMs(failures, backoff)
  const onFailure = (error: unknown, failures: number) => {
    if (isFinal(failures, error)) return
    const { position } = status
    log.warn(
      { projection: name, position, attempt: failures + 1, ...loggable(error) },
      'projection failed, will try again',
    )
  }
  return async (events, upTo) => {
    try {
      const write = () => retry(() => advance(events, upTo), { signal: until, pauseAfter, onFailure })
      const about = { 'prosa.consumer': `projection ${name}`, 'prosa.events': events.length }
      // A batch is one transaction of many traces: it stands in that of its first event.
      const correlation = events[0]?.metadata.correlationId
      return (await (correlation ? traced(`projection ${name}`, about, write, correlation) : write())) ?? false
    } catch (error) {
      if (isTransient(error)) throw error
      status.state = 'stopped'
      status.trouble = { reason: nameOf(error) }
      log.error({ projection: name, position: status.position, ...loggable(error) }, 'projection stopped')
      return false
    }
  }
}
