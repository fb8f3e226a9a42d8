import type { ReadModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import type { Position } from '@prosa/kernel/event-store/port'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Logger } from '@prosa/kernel/observability/log'
import { type Push, shownBy } from './pushes.ts'

/** A read model that is further behind is left to the clients' own polling. */
const maxWaitMs = 2000

export interface PusherDeps {
  readModels: ReadModelGate
  log: Logger
  deliver: (push: Push) => Promise<void> | void
}

export interface Pusher {
  /** Delivers a push once it is shown; `after` is a position before everything that is delivered for the first time here. */
  push(push: Push, after: Position): void
  /** Everything up to the position that is handed in has been delivered, except what came after the one that is returned. */
  deliveredUpTo(reached: Position): Position
  /** Resolves when the read models show the push, true, or when it takes too long, false. */
  isShown(push: Push): Promise<boolean>
}

/**
 * Delivers each push once its read models show it. Every thing waits for itself alone; what happens to it meanwhile is
 * covered by one push more, at the latest position.
 */
export const pusher = ({ readModels, log, deliver }: PusherDeps): Pusher => {
  const latest = new Map<string, { push: Push; after: Position }>()

  const isParked = ({ kind, owner }: Push) => readModels.isParked(shownBy[kind], owner)

  const isShown = async (push: Push) =>
    (await readModels.reached(shownBy[push.kind], push.position, maxWaitMs)) && !isParked(push)

  const deliverShown = async (push: Push) => {
    try {
      if (await isShown(push)) await deliver(push)
      // Their lag is a metric of its own, and each push of a busy minute would be a line. Of a tenant that is parked, the
      // browsers are asked to read everything once it is served again.
      else if (!isParked(push))
        log.info({ kind: push.kind, position: push.position }, 'not pushed: the read models are behind')
    } catch (error) {
      log.warn({ kind: push.kind, position: push.position, err: error }, 'not pushed')
    }
  }

  const deliverAll = async (key: string) => {
    let done: Position | undefined
    for (let next = latest.get(key)?.push; next && next.position !== done; next = latest.get(key)?.push) {
      const { correlationId, position } = next
      const current = next
      await correlated(correlationId, () => deliverShown(current))
      done = position
    }
    latest.delete(key)
  }

  return {
    push(push, after) {
      const key = `${push.kind} ${push.id}`
      const underWay = latest.get(key)
      latest.set(key, { push, after: underWay?.after ?? after })
      if (!underWay) void deliverAll(key)
    },
    deliveredUpTo(reached) {
      let delivered = reached
      for (const { after } of latest.values()) if (after < delivered) delivered = after
      return delivered
    },
    isShown,
  }
}
