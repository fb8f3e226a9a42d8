import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { decide } from '@prosa/kernel/domain/decider'
import type { FlowRunEvent, FlowRuns, Run } from '../flow-run-state.ts'
import { foldRuns, noRuns } from '../flow-run-state.ts'
import { type FlowRunCommand, flowRuns } from '../flow-runs.ts'
import type { Pace } from '../scene.ts'

type Decision = ReturnType<typeof decide<FlowRunCommand, FlowRunEvent, FlowRuns, string>>

/** Uses the real decider; stores nothing. */
const runsInPlay = (from: FlowRuns) => {
  let state = from
  return {
    state: () => state,
    count(decision: Decision): readonly FlowRunEvent[] {
      // The flow leads to one that is no longer readable.
      if ('rejected' in decision) return []
      state = foldRuns(state, decision)
      return decision
    },
    note(events: readonly FlowRunEvent[]): void {
      state = foldRuns(state, events)
    },
    nextWait(
      momentOf: (until: Instant, run: Run) => Instant = (until) => until,
    ): { runId: string; at: Instant } | undefined {
      return state.runs
        .flatMap((run) => (run.standing ? { runId: run.runId, at: momentOf(run.standing.until, run) } : []))
        .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))[0]
    },
  }
}

export const playedRuns = () => {
  const { state, count, note, nextWait } = runsInPlay(noRuns)
  return { state, note, nextWait, give: (command: FlowRunCommand) => count(decide(flowRuns, state(), command)) }
}

type Paced = Extract<FlowRunCommand, { data: { pace?: Pace } }>

/** Yields to other work between steps. */
export const runsPlayedIn = (slice: TimeSlice, from: FlowRuns = noRuns) => {
  const { state, count, note, nextWait } = runsInPlay(from)

  const decided = async (command: FlowRunCommand): Promise<Decision> => {
    const pace: Pace = { isDue: slice.isDue, remainder: undefined }
    const data = { ...command.data, pace } as Paced['data']
    let decision: Decision = decide(flowRuns, state(), { ...command, data } as FlowRunCommand)
    for (let { remainder } = pace; remainder; remainder = pace.remainder) {
      await slice.turn()
      pace.remainder = undefined
      const scene = remainder()
      decision = scene.lacksDocument ? { rejected: 'flow_document_missing' } : scene.events
    }
    return decision
  }

  return {
    state,
    note,
    nextWait,
    async give(command: FlowRunCommand): Promise<readonly FlowRunEvent[]> {
      if (slice.isDue()) await slice.turn()
      return count(await decided(command))
    },
  }
}
