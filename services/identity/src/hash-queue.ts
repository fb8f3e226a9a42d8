import { type ConcurrencyLimit, concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { Refused } from '@prosa/kernel/http/problem'
import type { Metric } from '@prosa/kernel/observability/metric'

export interface HashQueueOptions {
  /** How many run at the same time. */
  atOnce?: number
  /** How many may wait beside them; who comes beyond is refused at once. */
  mayWait?: number
  /** Who waited so long is refused. */
  timeoutMs?: number
}

/** Work of much memory and processor time; refused with `passwords_busy` instead of letting the queue grow or last. */
export type HashQueue = ConcurrencyLimit

const retryAfterSeconds = 5
const refusal = () => new Refused('passwords_busy', undefined, retryAfterSeconds)

/**
 * Argon2 runs on the four threads that Node also reads files and resolves names with: two leave room for those. At some 30 ms
 * each, a hundred wait two seconds or so; 19 MiB of memory each are taken only while they run.
 */
export const hashQueue = ({ atOnce = 2, mayWait = 100, timeoutMs = 10_000 }: HashQueueOptions = {}): HashQueue =>
  concurrencyLimit({ atOnce, waiting: { max: mayWait, ms: timeoutMs, refusal } })

export const hashMetrics = (hashing: HashQueue): Metric[] => [
  {
    name: 'prosa_password_hashes_running',
    help: 'Passwords that are being hashed or compared.',
    kind: 'gauge',
    value: hashing.running(),
  },
  {
    name: 'prosa_password_hashes_waiting',
    help: 'Requests that wait until a password can be hashed or compared.',
    kind: 'gauge',
    value: hashing.waiting(),
  },
]
