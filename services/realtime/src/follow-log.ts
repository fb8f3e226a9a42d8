import { setTimeout as delay } from 'node:timers/promises'
import { beginning, type EventStore, type Position } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import type { ReadModelGate } from '@prosa/kernel/read-models/read-model-gate'
import { type Push, pushedCategories, pushesFor, shownBy } from './pushes.ts'

const filter = { categories: pushedCategories }
const retryMilliseconds = 1000
const patienceMilliseconds = 2000

export interface FollowDeps {
  store: EventStore
  readModels: ReadModelGate
  log: Logger
}

/** The end of the log as it is now, read from where the furthest read model stands: from there it is never far. */
const findEnd = async ({ store, readModels }: FollowDeps): Promise<Position> => {
  const names = [...new Set(Object.values(shownBy).flat())]
  await readModels.reached(names, beginning, patienceMilliseconds)
  let end = names
    .map((name) => readModels.position(name) ?? beginning)
    .reduce((one, other) => (one > other ? one : other))
  for await (const { upTo } of store.readAll(end, filter)) end = upTo
  return end
}

/**
 * Hands on what happens from now on, until the signal aborts; `push` gets a position before it too, and `follow` every position that was
 * handed on whole. What happened before is not told: whoever connects reads everything, or names where it was.
 */
export const followLog = async (
  deps: FollowDeps,
  push: (push: Push, after: Position) => void,
  follow: (reached: Position) => void,
  signal: AbortSignal,
): Promise<void> => {
  let reached: Position | undefined
  while (!signal.aborted) {
    try {
      reached ??= await findEnd(deps)
      follow(reached)
      for await (const { events, upTo } of deps.store.subscribe(reached, filter, signal)) {
        for (const found of pushesFor(events)) push(found, reached)
        reached = upTo
        follow(reached)
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'realtime interrupted')
      await delay(retryMilliseconds, undefined, { signal }).catch(() => signal.aborted)
    }
  }
}
