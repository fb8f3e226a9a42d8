import type { FlowDocument, FlowNode, FlowOutput } from '@prosa/contracts/flows/flow-document'
import type { FlowFacts, FlowLibrary } from './flow-facts.ts'
import { type EndReason, type FlowRunEvent, type FlowRuns, foldRuns, type Pause, type Run } from './flow-run-state.ts'
import { countNow, limitWindowSeconds } from './recent-flows.ts'
import { type TextReader, textReader } from './text/text-reader.ts'

/** Stops a simulated decision between steps; `remainder` is the rest. Real decisions run in one go. */
export interface Pace {
  isDue(): boolean
  remainder: (() => Scene) | undefined
}

/** A scene never outlives its decision. */
export interface Scene {
  readonly facts: FlowFacts
  readonly library: FlowLibrary
  state: FlowRuns
  readonly events: FlowRunEvent[]
  /** Size as JSON. */
  recordedBytes: number
  /** Includes changes that the run requested. */
  labelIds: readonly string[]
  /** Includes values that the run requested. */
  fieldValues: FlowFacts['fieldValues']
  /** Steps since the last wait. */
  passed: number
  /** Flows entered since the last wait. */
  readonly entered: Set<string>
  readonly reader: TextReader
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
  fieldValues: facts.fieldValues,
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

export const nextStep = (run: Run, nodeId: string) => ({ ...ofRun(run), step: run.step + 1, nodeId })

/** For the step at which a run waits. */
export const sameStep = (run: Run, nodeId: string) => ({ ...ofRun(run), step: run.step, nodeId })

export const endRun = (scene: Scene, run: Run, reason: EndReason): void =>
  record(scene, { type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: scene.facts.now, reason } })

/** Nothing starts until a person resumes flows. */
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

/** Ends all runs of the contact. */
export const handOver = (scene: Scene, run: Run): void => {
  endRun(scene, run, 'handed_over')
  for (const other of scene.state.runs) endRun(scene, other, 'waits_for_person')
}

/** Recorded once per wait for a person. */
export const withhold = (scene: Scene, { flowId, occasion }: { flowId: string; occasion: string }): void => {
  const { handedOver } = scene.state
  if (!handedOver || handedOver.isNoted) return
  record(scene, { type: 'FlowStartWithheld', data: { flowId, occasion, handedOverAt: handedOver.at } })
}

export const nodeAfter = ({ nodes, links }: FlowDocument, nodeId: string, output: FlowOutput): FlowNode | undefined => {
  const target = links.find((link) => link.source === nodeId && link.sourceHandle === output)?.target
  return target === undefined ? undefined : nodes.find(({ id }) => id === target)
}
