import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { decide } from '@prosa/kernel/domain/decider'
import type { FlowRunEvent, FlowRuns } from './flow-run-state.ts'
import { foldRuns, noRuns } from './flow-run-state.ts'
import { type FlowRunCommand, flowRuns } from './flow-runs.ts'
import type { Pace } from './scene.ts'

type Played = Extract<FlowRunCommand, { data: { pace?: Pace } }>

/** The runs with one contact as they are only played: by the decider of real runs, with nothing stored. */
interface PlayedRuns {
  state(): FlowRuns
  /** The events of a command; they count from then on. */
  give(command: FlowRunCommand): Promise<readonly FlowRunEvent[]>
  /** The run that waits for the nearest moment, and that moment. */
  nextWait(momentOf?: (until: Instant) => Instant): { runId: string; at: Instant } | undefined
}

/** Between any two steps others get their turn, where the slice is over. */
export const playedRuns = (slice: TimeSlice): PlayedRuns => {
  let state = noRuns

  const decided = async (command: FlowRunCommand) => {
    const pace: Pace = { isDue: slice.isDue, remainder: undefined }
    // Commands that play nothing do not look at it.
    const data = { ...command.data, pace } as Played['data']
    let events = decide(flowRuns, state, { ...command, data } as FlowRunCommand)
    for (let remainder = pace.remainder; remainder; remainder = pace.remainder) {
      await slice.turn()
      pace.remainder = undefined
      const scene = remainder()
      events = scene.lacksDocument ? { rejected: 'flow_document_missing' } : scene.events
    }
    return events
  }

  return {
    state: () => state,
    async give(command) {
      if (slice.isDue()) await slice.turn()
      const events = await decided(command)
      // A flow that leads to one that cannot be read any more.
      if ('rejected' in events) return []
      state = foldRuns(state, events)
      return events
    },
    nextWait(momentOf = (until) => until) {
      return state.runs
        .flatMap(({ runId, standing }) => (standing ? { runId, at: momentOf(standing.until) } : []))
        .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))[0]
    },
  }
}
