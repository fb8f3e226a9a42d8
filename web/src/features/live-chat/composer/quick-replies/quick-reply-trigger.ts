/** Search words after a slash, and the range that a reply replaces. */
export interface QuickReplyTrigger {
  search: string
  from: number
  to: number
}

/**
 * A leading slash searches all that follows. Elsewhere only a slash after a blank or at a line start counts, with the word up to the caret:
 * not '10/2' or 'e/ou'.
 */
export const quickReplyTrigger = (text: string, caret: number): QuickReplyTrigger | null => {
  if (text.startsWith('/') && !text.includes('\n')) return { search: text.slice(1), from: 0, to: text.length }
  const word = text.slice(0, caret).split(/\s/).at(-1) ?? ''
  return word.startsWith('/') ? { search: word.slice(1), from: caret - word.length, to: caret } : null
}
