import { type BatchHandler, batches } from '@prosa/kernel/consumers/engine/batches'
import { type ConsumeDeps, consume } from '@prosa/kernel/consumers/engine/consume'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import type { ReadModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import {
  administratorsCategories,
  administratorsPushesFor,
  type Push,
  pushedCategories,
  pushesFor,
  shownBy,
} from './pushes.ts'

const followed = [...pushedCategories, ...administratorsCategories]
const retryMs = 1000
const maxWaitMs = 2000

export interface FollowDeps extends ConsumeDeps {
  readModels: ReadModelGate
}

/** Reads from the furthest read model: never far. */
const findEnd = async ({ store, readModels }: FollowDeps): Promise<Position> => {
  const names = [...new Set(Object.values(shownBy).flat())]
  await readModels.reached(names, beginning, maxWaitMs)
  let end = names
    .map((name) => readModels.position(name) ?? beginning)
    .reduce((one, other) => (one > other ? one : other))
  for await (const { upTo } of store.readAll(end, { categories: followed })) end = upTo
  return end
}

/**
 * In every process, until the signal aborts; `follow` gets every position handled. Older events are skipped: browsers reload or name their
 * position.
 */
export const followLog = (
  deps: FollowDeps,
  push: (push: Push, after: Position) => void,
  follow: (reached: Position) => void,
  signal: AbortSignal,
): Promise<void> => {
  let known: Position | undefined
  const move = (upTo: Position) => {
    known = upTo
    follow(upTo)
  }
  const open = async (): Promise<BatchHandler> => {
    const from = known ?? (await findEnd(deps))
    move(from)
    return {
      from,
      reached: () => known ?? from,
      async take(events, upTo) {
        for (const found of [...pushesFor(events), ...administratorsPushesFor(events)]) push(found, known ?? from)
        move(upTo)
        return true
      },
      passing: { afterEvents: 0 },
    }
  }
  const pauseAfter = () => retryMs
  const consumer = {
    kind: 'realtime',
    name: 'pushes',
    categories: followed,
    processes: 'each',
    pauseAfter,
  } as const
  return consume(consumer, deps, batches(open), newStatus(), signal)
}
