import type { FlowDocument, FlowNode, FlowOutput } from '@prosa/contracts/flows/flow-document'
import type { FlowFacts, FlowLibrary } from './flow-facts.ts'
import { type EndReason, type FlowRunEvent, type FlowRuns, foldRuns, type Pause, type Run } from './flow-run-state.ts'
import { countNow, limitWindowSeconds } from './recent-flows.ts'
import { type TextReader, textReader } from './text-reader.ts'

/**
 * Lets a decision that is only played stop between two steps, so that others get their turn: `remainder` is what is left of it then. A real
 * decision has none, and is made in one go.
 */
export interface Pace {
  isDue(): boolean
  remainder: (() => Scene) | undefined
}

/** One decision while it is made: the events so far and the state that they lead to. It never outlives the decision. */
export interface Scene {
  readonly facts: FlowFacts
  readonly library: FlowLibrary
  state: FlowRuns
  readonly events: FlowRunEvent[]
  /** Bytes of them as JSON. */
  recordedBytes: number
  /** The contact's labels, with what the run itself asked for. */
  labelIds: readonly string[]
  /** Steps since the last wait. */
  passed: number
  /** The flows that were come into since the last wait. */
  readonly entered: Set<string>
  readonly reader: TextReader
  /** A document is needed that was not handed in. */
  lacksDocument: boolean
  readonly pace: Pace | undefined
}

export const openScene = (state: FlowRuns, facts: FlowFacts, library: FlowLibrary, pace?: Pace): Scene => ({
  facts,
  library,
  state,
  events: [],
  recordedBytes: 0,
  labelIds: facts.labelIds,
  passed: 0,
  entered: new Set(),
  reader: textReader(),
  lacksDocument: false,
  pace,
})

export const record = (scene: Scene, event: FlowRunEvent): void => {
  scene.events.push(event)
  scene.recordedBytes += Buffer.byteLength(JSON.stringify(event))
  scene.state = foldRuns(scene.state, [event])
}

export const runIn = ({ state }: Scene, runId: string): Run | undefined => state.runs.find((run) => run.runId === runId)

export const ofRun = ({ runId, flowId, version }: Run) => ({ runId, flowId, version })

/** What the events of the next step of a run carry. */
export const nextStep = (run: Run, nodeId: string) => ({ ...ofRun(run), step: run.step + 1, nodeId })

/** What the events of the step carry at which a run waits. */
export const sameStep = (run: Run, nodeId: string) => ({ ...ofRun(run), step: run.step, nodeId })

export const endRun = (scene: Scene, run: Run, reason: EndReason): void =>
  record(scene, { type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: scene.facts.now, reason } })

/** Ends everything that runs with the contact: nothing starts until a person lets flows go on. */
export const pause = (
  scene: Scene,
  reason: Pause['reason'],
  { runId = null, occasion = null }: { runId?: string | null; occasion?: string | null },
): void => {
  const { now } = scene.facts
  const counts = countNow(scene.state.recent, now)
  record(scene, {
    type: 'FlowsPaused',
    data: { pausedAt: now, reason, ...counts, withinSeconds: limitWindowSeconds, runId, occasion },
  })
  for (const run of scene.state.runs) endRun(scene, run, 'possible_robot')
}

/** Ends the run and everything else that runs with the contact, who waits for a person from now on. */
export const handOver = (scene: Scene, run: Run): void => {
  endRun(scene, run, 'handed_over')
  for (const other of scene.state.runs) endRun(scene, other, 'waits_for_person')
}

/** Something would start a flow while the contact waits for a person: that is recorded once for each wait. */
export const withhold = (scene: Scene, { flowId, occasion }: { flowId: string; occasion: string }): void => {
  const { handedOver } = scene.state
  if (!handedOver || handedOver.isNoted) return
  record(scene, { type: 'FlowStartWithheld', data: { flowId, occasion, handedOverAt: handedOver.at } })
}

/** Where an output of a node leads. */
export const nodeAfter = ({ nodes, links }: FlowDocument, nodeId: string, output: FlowOutput): FlowNode | undefined => {
  const target = links.find((link) => link.source === nodeId && link.sourceHandle === output)?.target
  return target === undefined ? undefined : nodes.find(({ id }) => id === target)
}
