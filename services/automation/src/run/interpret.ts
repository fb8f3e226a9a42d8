import { delaySecondsOf } from '@prosa/contracts/flows/check-flow'
import {
  type FlowDocument,
  type FlowNode,
  type FlowNodeOf,
  type FlowNodeType,
  type FlowSettings,
  isAsking,
} from '@prosa/contracts/flows/flow-document'
import { menuText } from '@prosa/contracts/flows/menu'
import { calculate } from '@prosa/contracts/values/answers/calculate'
import { filledVariables } from '@prosa/contracts/values/text/filled-variables'
import { deriveId } from '@prosa/kernel/derive-id'
import { ask, hasTimeout, receiveAnswer, silenceSeconds } from './ask.ts'
import type { Finished, FlowRunEvent, KeptInput, Run } from './flow-run-state.ts'
import { messageRequests } from './message-requests.ts'
import { countNow } from './recent-flows.ts'
import { failedReply, type RequestReply, requestEvents, waitForReplySeconds } from './requests/request-step.ts'
import { endRun, handOver, nextStep, nodeAfter, ofRun, record, runIn, type Scene, sameStep } from './scene.ts'
import {
  laterBy,
  requestField,
  requestMessage,
  type Step,
  stops,
  storedValuesOf,
  take,
  valuesOf,
  type Way,
} from './step.ts'
import { doesHold } from './text/does-hold.ts'
import { onlyThanks } from './text/only-thanks.ts'

/** Between two waits; and without input from the contact. */
const maxSteps = 200
const maxStepsWithoutAnswer = 1000
/** As JSON: one append of 1 MiB, and encryption adds a third. */
const maxRecordedBytes = 600_000

type Started = Omit<Extract<FlowRunEvent, { type: 'FlowRunStarted' }>['data'], 'startedAt'>

interface Visit<T extends FlowNodeType> {
  scene: Scene
  run: Run
  document: FlowDocument
  node: FlowNodeOf<T>
  step: Step
}

/** Until the flow would greet again; where it always would, as long as it waits for an answer. */
const thanksSeconds = (settings: FlowSettings): number =>
  settings.again === 'after' ? settings.againAfterHours * 3600 : silenceSeconds(settings)

/** Returns the output taken, unless the run waits. */
const visits: { [T in FlowNodeType]: (visit: Visit<T>) => Way } = {
  trigger: ({ scene, step }) => take(scene, step, 'trigger', null),
  message: ({ scene, run, node: { data }, step }) => {
    if (data.enabled && !requestMessage(scene, run, step, data.message, data)) return stops
    return take(scene, step, 'message', null)
  },
  delay: ({ scene, node, step }) => {
    const until = laterBy(scene.facts.now, delaySecondsOf(node.data.delay) ?? 1)
    record(scene, { type: 'FlowDelayStarted', data: { ...step, until } })
    return stops
  },
  condition: ({ scene, run, node, step }) => {
    const facts = { isOpen: scene.facts.isOpen, labelIds: scene.labelIds }
    const holds = doesHold(node.data.test, valuesOf(scene, run), facts, scene.reader)
    if (scene.reader.isUsedUp()) {
      endRun(scene, run, 'too_many_steps')
      return stops
    }
    return take(scene, step, 'condition', holds ? 'true' : 'false')
  },
  question: (visit) => ask(visit.node.data.question, visit),
  menu: (visit) => ask(menuText(visit.node.data), visit),
  request: ({ scene, run, node, step }) => {
    const until = laterBy(scene.facts.now, waitForReplySeconds)
    const [asked, failed] = requestEvents(step, node, storedValuesOf(scene, run), until)
    if (asked) record(scene, asked)
    if (!failed) return stops
    record(scene, failed)
    return take(scene, step, 'request', 'failure')
  },
  calculation: ({ scene, run, node: { data }, step }) => {
    const found = calculate(data.expression, valuesOf(scene, run), data.decimals)
    const about = { ...step, variable: data.variable }
    if ('fault' in found) {
      const { fault, variable } = found
      const failed = { ...about, fault, ...(variable !== undefined && { about: variable }) }
      record(scene, { type: 'FlowValueCalculated', data: failed })
      return take(scene, step, 'calculation', 'failure')
    }
    record(scene, { type: 'FlowValueCalculated', data: { ...about, value: found.value } })
    if (data.fieldId !== null) requestField(scene, step, data.fieldId, 'number', found.value)
    return take(scene, step, 'calculation', 'success')
  },
  label: ({ scene, node, step }) => {
    const { labelId, isLabelled } = node.data
    if (labelId !== null && !scene.facts.labels.has(labelId)) return take(scene, step, 'label', null, 'label_gone')
    if (labelId !== null) {
      record(scene, { type: 'FlowLabelRequested', data: { ...step, labelId, isLabelled } })
      const others = scene.labelIds.filter((each) => each !== labelId)
      scene.labelIds = isLabelled ? [...others, labelId] : others
    }
    return take(scene, step, 'label', null)
  },
  handover: ({ scene, run, node, step }) => {
    if (!requestMessage(scene, run, step, node.data.message)) return stops
    take(scene, step, 'handover', null)
    handOver(scene, run)
    return stops
  },
  finish: ({ scene, run, document: { settings }, node, step }) => {
    if (!requestMessage(scene, run, step, node.data.message)) return stops
    const { connectionId } = run
    const until = laterBy(scene.facts.now, thanksSeconds(settings))
    const thanks = filledVariables(node.data.thanks, valuesOf(scene, run))
    record(scene, { type: 'FlowFinishRequested', data: { ...step, connectionId, until, thanks } })
    take(scene, step, 'finish', null)
    endRun(scene, run, 'completed')
    return stops
  },
  flow: ({ scene, run, node, step }) => {
    continueWith(scene, run, node.data.flowId, step)
    return stops
  },
}

const continueWith = (scene: Scene, run: Run, flowId: string | null, step: Step): void => {
  const version = flowId === null ? null : scene.library.published(flowId)
  if (version === undefined) {
    scene.lacksDocument = true
    return
  }
  take(scene, step, 'flow', null)
  const isBusy = scene.state.runs.some((each) => each.flowId === flowId && each.runId !== run.runId)
  const begins = flowId !== null && version !== null && !isBusy
  // Flows that lead to each other without a wait would never end.
  const isCycle = begins && scene.entered.has(flowId)
  endRun(scene, run, isCycle ? 'too_many_steps' : begins ? 'went_on' : 'completed')
  if (!begins || isCycle) return
  begin(scene, {
    runId: deriveId('flow run', run.runId, step.step),
    flowId,
    version,
    connectionId: run.connectionId,
    startedBy: 'flow',
    startMessageId: null,
    text: run.variables.resposta ?? '',
  })
}

const visit = <T extends FlowNodeType>(each: Visit<T>): Way =>
  (visits[each.node.type] as unknown as (each: Visit<T>) => Way)(each)

/** Until the run waits or ends. */
const walk = (scene: Scene, runId: string, document: FlowDocument, from: FlowNode | undefined): void => {
  const { pace } = scene
  for (let node = from; ; ) {
    const run = runIn(scene, runId)
    if (!run) return
    const isTooLong =
      scene.passed >= maxSteps ||
      run.step - run.answeredAt >= maxStepsWithoutAnswer ||
      scene.recordedBytes >= maxRecordedBytes
    if (!node || isTooLong) {
      endRun(scene, run, node ? 'too_many_steps' : 'completed')
      return
    }
    scene.passed++
    const way = visit({ scene, run, document, node, step: nextStep(run, node.id) })
    if (way === stops) return
    const next = nodeAfter(document, node.id, way)
    // Nothing follows a walk: its remainder is the decision's.
    if (pace?.isDue()) {
      pace.remainder = () => {
        walk(scene, runId, document, next)
        return scene
      }
      return
    }
    node = next
  }
}

export const begin = (scene: Scene, started: Started): void => {
  const { runId, flowId, version } = started
  const document = scene.library.version(flowId, version)
  if (!document) {
    scene.lacksDocument = true
    return
  }
  scene.entered.add(flowId)
  record(scene, { type: 'FlowRunStarted', data: { ...started, startedAt: scene.facts.now } })
  walk(
    scene,
    runId,
    document,
    document.nodes.find(({ type }) => type === 'trigger'),
  )
}

const waitOf = (scene: Scene, run: Run): { document: FlowDocument; node: FlowNode } | undefined => {
  const document = scene.library.version(run.flowId, run.version)
  const node = document?.nodes.find(({ id }) => id === run.standing?.nodeId)
  scene.lacksDocument ||= !document
  scene.entered.add(run.flowId)
  return document && node ? { document, node } : undefined
}

export const answer = (scene: Scene, run: Run, input: KeptInput): void => {
  const wait = waitOf(scene, run)
  if (!wait || !isAsking(wait.node)) return
  const { document, node } = wait
  const way = receiveAnswer(scene, document, node, sameStep(run, node.id), input, run.standing?.attempt)
  if (way !== stops) walk(scene, run.runId, document, nodeAfter(document, node.id, way))
}

/**
 * After a flow finished the conversation: thanks are answered once and leave it finished; anything else makes it wait for a person, and
 * greets nobody.
 */
export const receiveAfterFinish = (
  scene: Scene,
  { runId, flowId, version, step, nodeId, connectionId, thanks }: Finished,
  { messageId, text }: KeptInput,
  mayAnswer: boolean,
): void => {
  const { state, facts } = scene
  const about = { runId, flowId, version }
  if (!mayAnswer || !onlyThanks(text)) {
    record(scene, { type: 'FlowFinishUndone', data: { ...about, messageId } })
    return
  }
  const next = { ...about, step: step + 1, nodeId }
  record(scene, { type: 'FlowThanked', data: { ...next, messageId } })
  if (countNow(state.recent, facts.now).messages >= facts.limits.messages) return
  const request = { message: thanks, file: null, typingSeconds: 0 }
  for (const event of messageRequests({ ...next, connectionId, requestedAt: facts.now }, request, {}))
    record(scene, event)
}

/** By the step at which the run waits. */
export const receiveReply = (scene: Scene, run: Run, reply: RequestReply): void => {
  const wait = waitOf(scene, run)
  if (!wait) return
  const { document, node } = wait
  const step = sameStep(run, node.id)
  record(scene, { type: 'FlowRequestAnswered', data: { ...step, ...reply } })
  const output = take(scene, step, 'request', reply.failure === null ? 'success' : 'failure')
  walk(scene, run.runId, document, nodeAfter(document, node.id, output))
}

export const keepInput = (scene: Scene, run: Run, input: KeptInput): void =>
  record(scene, { type: 'FlowInputKept', data: { ...ofRun(run), ...input } })

export const passTime = (scene: Scene, run: Run): void => {
  if (run.standing?.waitsFor === 'reply') {
    receiveReply(scene, run, failedReply('no_reply'))
    return
  }
  const wait = waitOf(scene, run)
  if (!wait) return
  const { document, node } = wait
  const asks = isAsking(node)
  if (asks && !hasTimeout(node, document.settings)) {
    endRun(scene, run, 'silence')
    return
  }
  const output = take(scene, sameStep(run, node.id), node.type, asks ? 'timeout' : null)
  const next = nodeAfter(document, node.id, output)
  // Without an answer the flow is not completed.
  if (asks && !next) endRun(scene, run, 'silence')
  else walk(scene, run.runId, document, next)
}
