import type { MessageContent } from '@prosa/contracts/values/message-content'

/** Removes WhatsApp's file keys and addresses. */
export const shownContent = (content: MessageContent): MessageContent =>
  'file' in content ? { ...content, file: { ...content.file, source: null } } : content

export const spokenText = (content: MessageContent): string | undefined => {
  if (content.kind === 'text') return content.text
  return 'caption' in content ? content.caption : undefined
}

/** WhatsApp edits text only: file and quote stay. */
export const editedContent = (was: MessageContent, now: MessageContent): MessageContent => {
  const text = spokenText(now)
  if ('caption' in was) return text === undefined ? was : { ...was, caption: text }
  return { ...shownContent(now), quoted: now.quoted ?? was.quoted }
}
