import { parseStream } from '@prosa/contracts/streams'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/product/ports'
import { type FlowOn, findFlowsOn } from './queries.ts'
import type { FlowRunHandlers } from './run-handlers.ts'
import * as process from './run-process.ts'

/** They wake `run-process.ts`. */
export const runReactors = (handlers: FlowRunHandlers, { writePool }: Pick<Ports, 'writePool'>): Reactor[] => [
  runFlows(handlers, writePool),
  endRuns(handlers),
]

/** In log order: a message of after an acceptance finds the runs ended. */
const runFlows = (handlers: FlowRunHandlers, writePool: Ports['writePool']): Reactor => {
  const name = 'run-flows'
  type Wake<E extends Stored> = (cause: process.Cause<E>, flows: readonly FlowOn[]) => Promise<void>

  const wakeAnyway =
    <E extends Stored>(go: Wake<E>) =>
    async (event: E): Promise<void> => {
      handlers.seen.note(event.position)
      const { tenant } = event.metadata
      if (tenant === null) return
      const flows = await findFlowsOn(writePool, tenant)
      await go({ event, tenant, context: { ...contextFor(name, event), asOf: event.position } }, flows)
    }
  /** Only for tenants who have flows. */
  const wake = <E extends Stored>(go: Wake<E>) =>
    wakeAnyway<E>(async (cause, flows) => {
      if (flows.length > 0) await go(cause, flows)
    })
  const accepted = wake((cause) => process.endRuns(handlers, cause, 'accepted'))
  const resumed = wake((cause) => process.resumeFlows(handlers, cause))
  const labelled = wake<StoredOf<'ContactLabelled'>>((cause, flows) => process.receiveLabel(handlers, cause, flows))

  return {
    name,
    categories: ['chat', 'contact'],
    key: ({ stream }) => parseStream(stream).id,
    atOnce: decisionsAtOnce,
    on: {
      MessageReceived: wakeAnyway((cause, flows) => process.receiveMessage(handlers, cause, flows)),
      ContactLabelled: async (event) => {
        // Labels added by flows start no flow: two could loop for ever.
        if (event.metadata.actor.kind === 'user') await labelled(event)
      },
      ConversationAccepted: accepted,
      ConversationResumed: accepted,
      ConversationResolved: async (event) => {
        // Finished by a flow: nobody looked after it.
        if (event.data.flowId === undefined) await resumed(event)
      },
      // Follows a resume, and may arrive after another pause.
      RobotSuspicionCleared: async (event) => {
        if (event.data.attendantId !== null) await resumed(event)
      },
      ContactRestored: resumed,
      ContactAbsorbed: wake((cause) => process.moveRuns(handlers, cause)),
      ContactErased: wake((cause) => process.endRuns(handlers, cause, 'contact_erased')),
    },
  }
}

const endRuns = (handlers: FlowRunHandlers): Reactor => {
  const name = 'end-runs'
  const causeOf = <E extends Stored>(event: E) => {
    handlers.seen.note(event.position)
    return { event, context: contextFor(name, event) }
  }
  return {
    name,
    categories: ['flow', 'connection', 'flowRun'],
    key: ({ stream }) => stream,
    on: {
      FlowDeleted: (event) => process.endRunsInFlow(handlers, causeOf(event)),
      ConnectionRemoved: (event) => process.endRunsOnConnection(handlers, causeOf(event)),
      FlowRunStarted: async (event) => {
        const cause = causeOf(event)
        const { tenant } = event.metadata
        if (tenant) await process.endLateRun(handlers, { ...cause, tenant })
      },
    },
  }
}
