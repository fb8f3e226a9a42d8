import type { MessageContent } from '@prosa/contracts/values/message-content'

/** '' if none: a voice message is an answer, too. */
export const spokenText = (content: MessageContent): string => {
  if (content.kind === 'text') return content.text
  return 'caption' in content ? content.caption : ''
}
