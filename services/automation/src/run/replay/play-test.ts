import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowTestBody, FlowTestInput, FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { shownAnswer, shownAnswers } from '@prosa/contracts/values/answers/read-answer'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { deriveId } from '@prosa/kernel/derive-id'
import type { FlowFacts, FlowLibrary } from '../flow-facts.ts'
import type { FlowRunEvent } from '../flow-run-state.ts'
import type { RequestReply } from '../requests/request-step.ts'
import { runsPlayedIn } from './played-runs.ts'
import { stepsOf } from './steps-of.ts'

const maxSteps = 1000

export const draftVersion = 1

interface TestScene {
  flowId: string
  document: FlowDocument
  library: FlowLibrary
  contact: FlowTestBody['contact']
  factsAt(now: Instant): FlowFacts
  now: Instant
}

const startOf = ({ nodes }: FlowDocument) =>
  nodes.flatMap((node) => (node.type === 'trigger' ? node.data.start : []))[0]

const inventedReply = ({ output, values }: Extract<FlowTestInput, { kind: 'reply' }>): RequestReply => ({
  ...(output === 'success' ? { status: 200, failure: null, values } : { status: 500, failure: 'status', values: {} }),
  ...{ durationMs: 0, attempts: 1 },
})

/** The clock moves only when time is skipped. A starting label precedes the first input. */
export const playTest = async (
  scene: TestScene,
  inputs: readonly FlowTestInput[],
  slice: TimeSlice,
): Promise<FlowTestResult> => {
  const { flowId, document, library, contact } = scene
  let fieldValues: FlowFacts['fieldValues'] = {}
  const factsAt = (at: Instant): FlowFacts => ({ ...scene.factsAt(at), fieldValues })
  const contactId = deriveId('flow test', flowId)
  const connectionId = document.settings.connectionIds[0] ?? deriveId('flow test line', flowId)
  const candidates = [{ flowId, version: draftVersion, document }]
  const runs = runsPlayedIn(slice)
  const steps: FlowTestResult['steps'] = []
  let variables: Readonly<Record<string, string>> = {}
  let now = scene.now
  let hasWritten = false

  const note = (at: number, events: readonly FlowRunEvent[]) => {
    steps.push(...stepsOf(events).map((step) => ({ at, step })))
    for (const { type, data } of events) {
      if (type === 'FlowRunStarted') variables = { ...variables, resposta: data.text }
      if (type === 'FlowValueCalculated' && data.value !== undefined)
        variables = { ...variables, [data.variable]: shownAnswer('number', data.value) }
      if (type === 'FlowRequestAnswered') variables = { ...variables, ...shownAnswers(data.values, data.types) }
      if (type === 'FlowFieldRequested') fieldValues = { ...fieldValues, [data.fieldId]: data.value }
      if (type !== 'FlowAnswerReceived') continue
      const value = shownAnswer(data.answerType, data.value ?? data.text)
      variables = { ...variables, [data.variable]: value, resposta: data.text }
    }
  }

  const play = async (input: FlowTestInput, index: number): Promise<readonly FlowRunEvent[]> => {
    if (input.kind === 'skip_time') {
      const wait = runs.nextWait()
      if (!wait) return []
      now = wait.at > now ? wait.at : now
      return runs.give({ type: 'ReachTime', data: { runId: wait.runId, facts: factsAt(now), library } })
    }
    if (input.kind === 'reply') {
      const run = runs.state().runs.findLast(({ standing }) => standing?.waitsFor === 'reply')
      if (!run) return []
      const data = { runId: run.runId, step: run.step, reply: inventedReply(input), facts: factsAt(now), library }
      return runs.give({ type: 'ReceiveReply', data })
    }
    const facts = factsAt(now)
    const isFirst = contact.isNew && !hasWritten
    hasWritten = true
    const start = {
      connectionId,
      candidates,
      writtenAt: now,
      isFirst,
      isOutOfHours: !facts.isOpen,
      defaultFlowId: null,
    }
    const written = input.kind === 'file' ? { text: '', file: 'Foto' } : { text: input.text }
    const data = { contactId, messageId: `test ${index}`, ...written, start, facts, library }
    return runs.give({ type: 'ReceiveInput', data })
  }

  const start = startOf(document)
  if (start?.kind === 'label_set' && start.labelId !== null) {
    const facts = factsAt(now)
    const data = {
      contactId,
      labelId: start.labelId,
      occasion: 'test',
      start: { connectionId, candidates, writtenAt: now },
    }
    note(0, await runs.give({ type: 'ReceiveLabel', data: { ...data, facts, library } }))
  }
  for (const [index, input] of inputs.entries()) {
    if (steps.length >= maxSteps) break
    note(index + 1, await play(input, index))
  }
  const standing = runs.state().runs.findLast((run) => run.standing)?.standing
  const shown = standing ? { nodeId: standing.nodeId, waitsFor: standing.waitsFor, until: standing.until } : null
  return { steps: steps.slice(0, maxSteps), standing: shown, variables }
}
