import { parseStream } from '@prosa/contracts/streams'
import { type BatchHandler, batches } from '@prosa/kernel/consumers/engine/batches'
import { loadCheckpoint, saveCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { type ConsumeDeps, consume } from '@prosa/kernel/consumers/engine/consume'
import type { ConsumerStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import type { Position } from '@prosa/kernel/event-store/port'

const name = 'supervise-on-connection-event'
const version = 1
const checkpointEveryMs = 10_000

/**
 * Calls `onChanged` in every process until the signal aborts. All share one checkpoint, where a process begins: the next holder of a lease
 * finds unfinished work. After a failure it goes on where it was itself, as others may be further.
 */
export const followConnections = (
  deps: ConsumeDeps,
  onChanged: (connectionIds: readonly string[]) => Promise<void>,
  status: ConsumerStatus,
  signal: AbortSignal,
): Promise<void> => {
  const { pool } = deps
  let own: Position | undefined
  const open = async (): Promise<BatchHandler> => {
    own ??= await loadCheckpoint(pool, name, version)
    const from = own
    let reached = from
    const save = async (upTo: Position) => {
      own = upTo
      await saveCheckpoint(pool, name, version, upTo)
      reached = upTo
    }
    return {
      from,
      reached: () => reached,
      async take(events, upTo) {
        await onChanged([...new Set(events.map(({ stream }) => parseStream(stream).id))])
        await save(upTo)
        return true
      },
      passing: { afterMs: checkpointEveryMs },
      pass: save,
    }
  }
  const consumer = { kind: 'supervisor', name, categories: ['connection'], processes: 'each' } as const
  return consume(consumer, deps, batches(open), status, signal)
}
