import type { Position } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { ReadModelGate } from '@prosa/kernel/read-models/read-model-gate'
import { type Push, shownBy } from './pushes.ts'

/** A read model that is further behind is left to the clients' own polling. */
const patienceMilliseconds = 2000

export interface PusherDeps {
  readModels: ReadModelGate
  log: Logger
  deliver: (push: Push) => Promise<void> | void
}

/**
 * Delivers each push once its read models show it. Every thing waits for itself alone; what happens to it meanwhile is told
 * by one push more, at the latest position.
 */
export const pusher = ({ readModels, log, deliver }: PusherDeps): ((push: Push) => void) => {
  const latest = new Map<string, Push>()

  const deliverShown = async (push: Push) => {
    try {
      if (await readModels.reached(shownBy[push.kind], push.position, patienceMilliseconds)) await deliver(push)
      else log.warn({ kind: push.kind, position: push.position }, 'not pushed: the read models are behind')
    } catch (error) {
      log.warn({ kind: push.kind, position: push.position, err: error }, 'not pushed')
    }
  }

  const deliverAll = async (key: string) => {
    let done: Position | undefined
    for (let push = latest.get(key); push && push.position !== done; push = latest.get(key)) {
      const latestPush = push
      await correlated(push.correlationId, () => deliverShown(latestPush))
      done = push.position
    }
    latest.delete(key)
  }

  return (push) => {
    const key = `${push.kind} ${push.id}`
    const isUnderWay = latest.has(key)
    latest.set(key, push)
    if (!isUnderWay) void deliverAll(key)
  }
}
