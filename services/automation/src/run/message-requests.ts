import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { filledVariables } from '@prosa/contracts/values/text/filled-variables'
import { webAddressesIn } from '@prosa/contracts/values/text/web-addresses'
import { deriveId } from '@prosa/kernel/derive-id'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { FlowRunEvent } from './flow-run-state.ts'

type Requested = Extract<FlowRunEvent, { type: 'FlowMessageRequested' }>['data']

/** Only the flow's own addresses, never in or touching a variable's value, within a message's length. */
export const addressesIn = (template: string): string[] => {
  const found = webAddressesIn(template.slice(0, maximumTextLength)).filter(({ next }) => next !== '{')
  return [...new Set(found.map(({ url }) => url))].filter((url) => URL.canParse(url))
}

const contentsOf = (text: string, file: FlowNodeOf<'message'>['data']['file']): MessageContent[] => {
  const words: MessageContent[] = text.trim() === '' ? [] : [{ kind: 'text', text }]
  if (!file) return words
  if (file.kind === 'document')
    return [{ kind: 'document', file: file.file, fileName: file.fileName, caption: text.trim() }]
  // WhatsApp shows no caption with audio.
  if (file.kind === 'audio') return [{ kind: 'audio', file: file.file, voice: false }, ...words]
  return [{ kind: file.kind, file: file.file, caption: text.trim() }]
}

/** Empty if the text became empty. Ids derive from the step, so it is sent once. */
export const messageRequests = (
  step: Pick<Requested, 'runId' | 'flowId' | 'version' | 'step' | 'nodeId' | 'connectionId' | 'requestedAt'>,
  { message, file, typingSeconds }: Pick<FlowNodeOf<'message'>['data'], 'message' | 'file' | 'typingSeconds'>,
  values: Readonly<Record<string, string>>,
): FlowRunEvent[] => {
  const text = filledVariables(message, values)
  const urls = addressesIn(message).filter((url) => text.includes(url))
  return contentsOf(text, file).map((content, index) => {
    const hasWords = content.kind === 'text' || ('caption' in content && content.caption !== '')
    const links = (hasWords ? urls : []).map((url, linkIndex) => ({
      token: deriveId('flow link', step.runId, step.step, linkIndex).replaceAll('-', '').slice(0, 20),
      url,
    }))
    const messageId = messageIdOf(deriveId('flow message', step.runId, step.step, index))
    return { type: 'FlowMessageRequested', data: { ...step, messageId, content, typingSeconds, links } }
  })
}
