/** What a key means in live chat; `write` goes into the composer with the letter that was typed. */
export type Shortcut =
  | 'down'
  | 'up'
  | 'open'
  | 'waiting'
  | 'attending'
  | 'resolved'
  | 'accept'
  | 'resolve'
  | 'next'
  | 'label'
  | 'choose'
  | 'reply'
  | 'write'
  | 'search'
  | 'find'
  | 'attach'
  | 'record'
  | 'details'
  | 'back'
  | 'help'

const byKey: Record<string, Shortcut> = {
  arrowdown: 'down',
  j: 'down',
  arrowup: 'up',
  k: 'up',
  enter: 'open',
  1: 'waiting',
  2: 'attending',
  3: 'resolved',
  a: 'accept',
  e: 'resolve',
  n: 'next',
  l: 'label',
  x: 'choose',
  r: 'reply',
  '/': 'search',
  escape: 'back',
  '?': 'help',
}

/** With Ctrl, also while typing. */
const byControlKey: Record<string, Shortcut> = { o: 'attach', m: 'record', i: 'details' }
/** Ctrl+F alone stays the browser's own. */
const byControlShiftKey: Record<string, Shortcut> = { f: 'find', a: 'accept', e: 'resolve' }
/** Not with letters: on some keyboards Alt and a letter write another one. */
const byAltKey: Record<string, Shortcut> = { arrowdown: 'next' }

export interface Pressed {
  key: string
  ctrlKey: boolean
  shiftKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** True for what a text field makes no use of. */
export const worksWhileTyping = ({ ctrlKey, altKey }: Pressed): boolean => ctrlKey || altKey

/** True for what would stand in a text field if one had the focus, or begins it as an accent does; '?' and Space have other uses. */
export const isText = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  !(ctrlKey || metaKey || altKey) && (key === 'Dead' || /^[^? ]$/u.test(key))

/** The meaning of a key, or null. G is left to the shell, which goes to places with it. */
export const shortcutOf = ({ key, ctrlKey, shiftKey, metaKey, altKey }: Pressed): Shortcut | null => {
  if (metaKey) return null
  if (altKey) return ctrlKey || shiftKey ? null : (byAltKey[key.toLowerCase()] ?? null)
  if (ctrlKey) return (shiftKey ? byControlShiftKey : byControlKey)[key.toLowerCase()] ?? null
  const known = byKey[key.toLowerCase()]
  if (known) return known
  return key.toLowerCase() !== 'g' && /^\p{L}$/u.test(key) ? 'write' : null
}
