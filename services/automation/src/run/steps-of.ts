import type { FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { FlowRunEvent } from './flow-run-state.ts'
import { spokenText } from './spoken-text.ts'

type FileKind = 'image' | 'video' | 'audio' | 'document'

const fileOf = (content: MessageContent): { fileName: string | null; fileKind: FileKind | null } => {
  if (content.kind === 'document') return { fileName: content.fileName, fileKind: 'document' }
  const isFile = content.kind === 'image' || content.kind === 'video' || content.kind === 'audio'
  return { fileName: null, fileKind: isFile ? content.kind : null }
}

/** One event as a step that a person reads; undefined of what is none by itself. `next` is the event after it. */
const stepOf = (event: FlowRunEvent, next: FlowRunEvent | undefined): FlowStepTaken | undefined => {
  const { type, data } = event
  switch (type) {
    case 'FlowStepTaken': {
      const { nodeId, type: nodeType, output } = data
      return nodeType === 'trigger' ? { kind: 'started', nodeId } : { kind: 'passed', nodeId, type: nodeType, output }
    }
    case 'FlowMessageRequested': {
      const { nodeId, content, typingSeconds } = data
      return { kind: 'message', nodeId, text: spokenText(content), ...fileOf(content), typingSeconds }
    }
    case 'FlowLabelRequested':
      return { kind: 'label', nodeId: data.nodeId, labelId: data.labelId, isLabelled: data.isLabelled }
    case 'FlowDelayStarted':
      return { kind: 'delay', nodeId: data.nodeId, until: data.until }
    case 'FlowAnswerAwaited':
      return { kind: 'asked', nodeId: data.nodeId, until: data.until }
    case 'FlowAnswerReceived':
      return { kind: 'answered', nodeId: data.nodeId, variable: data.variable, text: data.text }
    case 'FlowInputKept':
      return { kind: 'kept', text: data.text }
    case 'FlowRunEnded': {
      const flowId = data.reason === 'went_on' && next?.type === 'FlowRunStarted' ? next.data.flowId : null
      return { kind: 'ended', reason: data.reason, flowId }
    }
    case 'FlowRunStarted':
    case 'FlowRunMovedAway':
    case 'FlowRunTakenOver':
    case 'FlowLinkOpened':
      return undefined
  }
}

/** What runs did, in its order. */
export const stepsOf = (events: readonly FlowRunEvent[]): FlowStepTaken[] =>
  events.flatMap((event, index) => stepOf(event, events[index + 1]) ?? [])
