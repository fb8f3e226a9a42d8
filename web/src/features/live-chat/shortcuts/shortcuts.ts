/** `write`: the typed letter goes into the composer. */
export type Shortcut =
  | 'down'
  | 'up'
  | 'open'
  | 'waiting'
  | 'attending'
  | 'resolved'
  | 'bot'
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
  4: 'bot',
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

/** Also while typing. */
const byControlKey: Record<string, Shortcut> = { o: 'attach', m: 'record', i: 'details' }
/** Ctrl+F alone stays the browser's own. */
const byControlShiftKey: Record<string, Shortcut> = { f: 'find', a: 'accept', e: 'resolve' }
/** Not letters: Alt and a letter types another character on some keyboards. */
const byAltKey: Record<string, Shortcut> = { arrowdown: 'next' }

export interface Pressed {
  key: string
  ctrlKey: boolean
  shiftKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** True where a text field ignores it. */
export const worksWhileTyping = ({ ctrlKey, altKey }: Pressed): boolean => ctrlKey || altKey

/** Text or a dead key; '?' and Space have other uses. */
export const isText = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  !(ctrlKey || metaKey || altKey) && (key === 'Dead' || /^[^? ]$/u.test(key))

/** G belongs to the shell's navigation. */
export const shortcutOf = ({ key, ctrlKey, shiftKey, metaKey, altKey }: Pressed): Shortcut | null => {
  if (metaKey) return null
  if (altKey) return ctrlKey || shiftKey ? null : (byAltKey[key.toLowerCase()] ?? null)
  if (ctrlKey) return (shiftKey ? byControlShiftKey : byControlKey)[key.toLowerCase()] ?? null
  const known = byKey[key.toLowerCase()]
  if (known) return known
  return key.toLowerCase() !== 'g' && /^\p{L}$/u.test(key) ? 'write' : null
}
