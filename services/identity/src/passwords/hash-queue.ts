import { type ConcurrencyLimit, concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { Refused } from '@prosa/kernel/http/problem'
import type { Metric } from '@prosa/kernel/observability/metric'

export interface HashQueueOptions {
  atOnce?: number
  /** Requests beyond this are refused at once. */
  mayWait?: number
  timeoutMs?: number
}

/** Refuses with `passwords_busy` instead of growing. */
export type HashQueue = ConcurrencyLimit

const retryAfterSeconds = 5
const refusal = () => new Refused('passwords_busy', undefined, retryAfterSeconds)

/** Argon2 shares Node's four threads with file and DNS access, so two at once. At 30 ms and 19 MiB each, a hundred wait two seconds. */
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
