import { parseStream } from '@prosa/contracts/streams'
import { cancel, contextForTimer, schedule, type TimerKind, type TimerStep } from '@prosa/kernel/consumers/timers/timer'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { z } from 'zod'
import { readRun } from './flow-run-state.ts'
import type { FlowRunHandlers } from './run-handlers.ts'
import { reachTime } from './run-process.ts'

const payload = z.object({ contactId: z.string(), flowId: z.string(), version: z.number() })

const waits = ({
  stream,
  data,
}: StoredOf<'FlowDelayStarted' | 'FlowAnswerAwaited' | 'FlowRequestAsked'>): TimerStep => {
  const { runId, flowId, version, until } = data
  return schedule(runId, until, { contactId: parseStream(stream).id, flowId, version })
}
const waitsNoMore = ({ data }: { data: { runId: string } }) => cancel(data.runId)

/** Wakes `run-process.ts`. */
export const continueRunTimer = (handlers: FlowRunHandlers): TimerKind => ({
  kind: 'continue-run',
  version: 1,
  categories: ['flowRun'],
  on: {
    FlowDelayStarted: waits,
    FlowAnswerAwaited: waits,
    FlowRequestAsked: waits,
    FlowAnswerReceived: waitsNoMore,
    FlowStepTaken: (event) =>
      ['delay', 'question', 'menu', 'request'].includes(event.data.type) ? waitsNoMore(event) : undefined,
    FlowRunMovedAway: waitsNoMore,
    FlowRunTakenOver: ({ stream, data }) => {
      const { runId, flowId, version, state } = data
      const until = readRun(state)?.standing?.until
      return until ? schedule(runId, until, { contactId: parseStream(stream).id, flowId, version }) : undefined
    },
    FlowRunEnded: waitsNoMore,
  },
  async fire(timer) {
    const { tenant, key: runId, dueAt } = timer
    if (!tenant) throw new Error('a run without a tenant')
    await reachTime(handlers, tenant, { runId, dueAt, ...payload.parse(timer.payload) }, contextForTimer(timer))
  },
})
