import type { Instant } from '@prosa/contracts/values/instant'
import { decide } from '@prosa/kernel/domain/decider'
import type { FlowRunEvent, FlowRuns } from './flow-run-state.ts'
import { foldRuns, noRuns } from './flow-run-state.ts'
import { type FlowRunCommand, flowRuns } from './flow-runs.ts'

/** The runs with one contact as they are only played: by the decider of real runs, with nothing stored. */
interface PlayedRuns {
  state(): FlowRuns
  /** The events of a command; they count from then on. */
  give(command: FlowRunCommand): readonly FlowRunEvent[]
  /** What happened besides. */
  note(events: readonly FlowRunEvent[]): void
  /** The run that waits for the nearest moment, and that moment. */
  nextWait(momentOf?: (until: Instant) => Instant): { runId: string; at: Instant } | undefined
}

export const playedRuns = (): PlayedRuns => {
  let state = noRuns
  return {
    state: () => state,
    give(command) {
      const events = decide(flowRuns, state, command)
      // A flow that leads to one that cannot be read any more.
      if ('rejected' in events) return []
      state = foldRuns(state, events)
      return events
    },
    note(events) {
      state = foldRuns(state, events)
    },
    nextWait(momentOf = (until) => until) {
      return state.runs
        .flatMap(({ runId, standing }) => (standing ? { runId, at: momentOf(standing.until) } : []))
        .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))[0]
    },
  }
}
