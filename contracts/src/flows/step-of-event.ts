import type { AnyEvent } from '../events/all-events.ts'
import type { FlowStepTaken } from '../http/flow-runs.ts'
import { shownAnswer, shownAnswers } from '../values/answers/read-answer.ts'
import type { MessageContent } from '../values/message-content.ts'

const fileKinds = ['image', 'video', 'audio', 'document'] as const

const wordsAndFile = (
  content: MessageContent,
): Pick<Extract<FlowStepTaken, { kind: 'message' }>, 'text' | 'fileName' | 'fileKind'> => {
  const fileKind = fileKinds.find((kind) => kind === content.kind) ?? null
  const text = content.kind === 'text' ? content.text : 'caption' in content ? content.caption : ''
  return { text, fileKind, fileName: content.kind === 'document' ? content.fileName : null }
}

/** Undefined for start, passed nodes and end, which need the next event. */
export const stepOfEvent = ({ type, data }: AnyEvent): FlowStepTaken | undefined => {
  switch (type) {
    case 'FlowMessageRequested':
      return { kind: 'message', nodeId: data.nodeId, ...wordsAndFile(data.content), typingSeconds: data.typingSeconds }
    case 'FlowLabelRequested':
      return { kind: 'label', nodeId: data.nodeId, labelId: data.labelId, isLabelled: data.isLabelled }
    case 'FlowFieldRequested': {
      const { nodeId, fieldId, type: answerType, value } = data
      return { kind: 'field', nodeId, fieldId, answerType, value }
    }
    case 'FlowDelayStarted':
      return { kind: 'delay', nodeId: data.nodeId, until: data.until }
    case 'FlowAnswerAwaited':
      return { kind: 'asked', nodeId: data.nodeId, until: data.until }
    case 'FlowAnswerReceived':
      return {
        ...{ kind: 'answered', nodeId: data.nodeId, variable: data.variable, text: data.text },
        ...(data.value !== undefined && { value: data.value }),
        ...(data.answerType && { answerType: data.answerType }),
      }
    case 'FlowRequestAsked':
      return { kind: 'requested', nodeId: data.nodeId, until: data.until }
    case 'FlowRequestAnswered': {
      const { nodeId, status, failure, durationMs, attempts, values, types } = data
      return { kind: 'replied', nodeId, status, failure, durationMs, attempts, values: shownAnswers(values, types) }
    }
    case 'FlowValueCalculated': {
      const { nodeId, variable, value, fault = null, about } = data
      const shown = value === undefined ? null : shownAnswer('number', value)
      return { kind: 'calculated', nodeId, variable, value: shown, fault, ...(about !== undefined && { about }) }
    }
    case 'FlowInputKept':
      return { kind: 'kept', text: data.text }
    default:
      return undefined
  }
}
