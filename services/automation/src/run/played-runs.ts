import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { decide } from '@prosa/kernel/domain/decider'
import type { FlowRunEvent, FlowRuns } from './flow-run-state.ts'
import { foldRuns, noRuns } from './flow-run-state.ts'
import { type FlowRunCommand, flowRuns } from './flow-runs.ts'
import type { Pace } from './scene.ts'

type Decision = ReturnType<typeof decide<FlowRunCommand, FlowRunEvent, FlowRuns, string>>

/** The runs with one contact as they are only played: by the decider of real runs, with nothing stored. */
const runsInPlay = () => {
  let state = noRuns
  return {
    state: () => state,
    /** The events of a decision; they count from then on. */
    count(decision: Decision): readonly FlowRunEvent[] {
      // A flow that leads to one that cannot be read any more.
      if ('rejected' in decision) return []
      state = foldRuns(state, decision)
      return decision
    },
    /** What happened besides. */
    note(events: readonly FlowRunEvent[]): void {
      state = foldRuns(state, events)
    },
    /** The run that waits for the nearest moment, and that moment. */
    nextWait(momentOf: (until: Instant) => Instant = (until) => until): { runId: string; at: Instant } | undefined {
      return state.runs
        .flatMap(({ runId, standing }) => (standing ? { runId, at: momentOf(standing.until) } : []))
        .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))[0]
    },
  }
}

/** In one go. */
export const playedRuns = () => {
  const { state, count, note, nextWait } = runsInPlay()
  return { state, note, nextWait, give: (command: FlowRunCommand) => count(decide(flowRuns, state(), command)) }
}

type Paced = Extract<FlowRunCommand, { data: { pace?: Pace } }>

/** Others get their turn between any two steps where the slice is over. */
export const runsPlayedIn = (slice: TimeSlice) => {
  const { state, count, note, nextWait } = runsInPlay()

  const decided = async (command: FlowRunCommand): Promise<Decision> => {
    const pace: Pace = { isDue: slice.isDue, remainder: undefined }
    // Commands that take no steps do not look at it.
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
