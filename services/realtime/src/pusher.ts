import { setTimeout as delay } from 'node:timers/promises'
import type { ReadModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import type { Position } from '@prosa/kernel/event-store/port'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Logger } from '@prosa/kernel/observability/log'
import { type Push, shownBy } from './pushes.ts'

/** Beyond this lag a push is late. */
const maxWaitMs = 2000
/** The gate answers at once while a read model is rebuilt. */
const lateEveryMs = 500
/** Subjects whose pushes are late at the same time; some 500 bytes each. Of others browsers learn by polling. */
const maxLate = 10_000

export interface PusherDeps {
  readModels: Pick<ReadModelGate, 'reached' | 'isParked'>
  log: Logger
  deliver: (push: Push) => Promise<void> | void
}

export interface Pusher {
  /** `after` precedes everything new here. */
  push(push: Push, after: Position): void
  /** Everything up to the result has been delivered, given `reached`. */
  deliveredUpTo(reached: Position): Position
  /** False after a timeout. */
  isShown(push: Push): Promise<boolean>
  /** What is late is given up. */
  stop(): void
}

/**
 * Each subject waits alone until the read models show it, e.g. while no process of projections runs; changes meanwhile become one more push,
 * at the latest position.
 */
export const pusher = ({ readModels, log, deliver }: PusherDeps): Pusher => {
  const latest = new Map<string, { push: Push; after: Position }>()
  let isStopped = false
  let late = 0

  const isParked = ({ kind, tenant }: Push) => readModels.isParked(shownBy[kind], tenant)

  const isShown = async (push: Push) =>
    (await readModels.reached(shownBy[push.kind], push.position, maxWaitMs)) && !isParked(push)

  /** Browsers of a parked tenant reload once it resumes. */
  const isShownLate = async (push: Push): Promise<boolean> => {
    if (late >= maxLate) {
      log.warn({ kind: push.kind, position: push.position }, 'not pushed: the read models are behind')
      return false
    }
    late++
    try {
      while (!isParked(push)) {
        // No signal: each of thousands would listen to it.
        await delay(lateEveryMs, undefined, { ref: false })
        if (isStopped) return false
        if (await isShown(push)) return true
      }
      return false
    } finally {
      late--
    }
  }

  const deliverShown = async (push: Push) => {
    try {
      if ((await isShown(push)) || (await isShownLate(push))) await deliver(push)
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
    stop() {
      isStopped = true
    },
  }
}
