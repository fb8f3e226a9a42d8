import type { MessageContent } from '@prosa/contracts/values/message-content'

/** Keys and addresses of files in WhatsApp's network are nobody's business who reads. */
export const shownContent = (content: MessageContent): MessageContent =>
  'file' in content ? { ...content, file: { ...content.file, source: null } } : content

/** The words of a message; undefined where its kind has none. */
export const spokenText = (content: MessageContent): string | undefined => {
  if (content.kind === 'text') return content.text
  return 'caption' in content ? content.caption : undefined
}

/**
 * The content of a message after an edit. WhatsApp edits words only and may report no more than these: the file of a message
 * and what it answers stay.
 */
export const editedContent = (was: MessageContent, now: MessageContent): MessageContent => {
  const text = spokenText(now)
  if ('caption' in was) return text === undefined ? was : { ...was, caption: text }
  return { ...shownContent(now), quoted: now.quoted ?? was.quoted }
}
