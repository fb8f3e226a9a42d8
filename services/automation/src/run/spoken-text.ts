import type { MessageContent } from '@prosa/contracts/values/message-content'

/** The words of a message, '' where it has none: a voice message answers a question, too. */
export const spokenText = (content: MessageContent): string => {
  if (content.kind === 'text') return content.text
  return 'caption' in content ? content.caption : ''
}
