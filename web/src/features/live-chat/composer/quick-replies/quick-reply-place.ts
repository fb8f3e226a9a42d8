/** What in a text asks for quick replies: the words after a slash, and from where to where a reply takes their place. */
export interface QuickReplyPlace {
  search: string
  from: number
  to: number
}

/**
 * A slash at the beginning asks with all that follows it. Elsewhere one behind a blank or at the beginning of a line asks with
 * the word between it and the caret: '10/2' and 'e/ou' ask for nothing.
 */
export const quickReplyPlace = (text: string, caret: number): QuickReplyPlace | null => {
  if (text.startsWith('/') && !text.includes('\n')) return { search: text.slice(1), from: 0, to: text.length }
  const word = text.slice(0, caret).split(/\s/).at(-1) ?? ''
  return word.startsWith('/') ? { search: word.slice(1), from: caret - word.length, to: caret } : null
}
