import type { Stored } from '../../event-store/codec.ts'
import { type ConsumeDeps, consume, handledBy } from '../engine/consume.ts'
import { type ConsumerStatuses, statusOf } from '../engine/consumer-status.ts'
import { type PerKeyDeps, perKey } from '../engine/per-key.ts'
import type { Reactor } from './reactor.ts'

export type ReactorDeps = ConsumeDeps & PerKeyDeps

const version = 1

/** One process at a time: see `perKey`. */
export const runReactor = (
  { name, categories, key, atOnce, on }: Reactor,
  deps: ReactorDeps,
  signal: AbortSignal,
  statuses: ConsumerStatuses,
): Promise<void> => {
  const status = statusOf(statuses, name)
  const handle = async (event: Stored) => {
    const handler = on[event.type] as ((event: Stored) => Promise<void>) | undefined
    await handler?.(event)
  }
  const consumer = { kind: 'reactor', name, categories, concerns: handledBy(on), processes: 'one' } as const
  return consume(
    consumer,
    deps,
    perKey({ kind: 'reactor', name, version, key, handle, atOnce }, deps, status),
    status,
    signal,
  )
}
