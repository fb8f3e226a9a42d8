/** What looks like a number of a person and is none: ids, instants, positions in a log, ids of WhatsApp messages. */
const harmless = [
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  String.raw`\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?`,
  String.raw`(?<![\d+])\d{19,}(?!\d)`,
  String.raw`\b(?=[\dA-F]*[A-F])[\dA-F]{12,31}\b`,
]
const token = String.raw`(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}(?![\w-])`
/** Eight digits or more, with whatever people write between them. */
const number = String.raw`\+?\(?\d(?:[\s().-]{0,2}\d){7,}`

const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi
const query = /\?[^\s"'<>?]*=[^\s"'<>]*/g
const email = /[^\s@<>"'=,;:()[\]]+@[^\s@<>"'=,;:()[\]]+/g
const ids = new RegExp(`(${harmless.join('|')})|(${token})|${number}`, 'g')

/** Scheme, host and port identify the machine; names, paths and queries may identify a person. */
const machine = (found: string): string => {
  if (!URL.canParse(found)) return '[address]'
  const { protocol, host, pathname, search } = new URL(found)
  return `${protocol}//${host}${pathname.length <= 1 && !search ? '' : '/…'}`
}

const longest = 2000

/** Text without e-mail addresses, phone and document numbers, tokens, paths of addresses and queries. Names it cannot know. */
export const scrub = (text: string): string =>
  (text.length > longest ? `${text.slice(0, longest)}…` : text)
    .replace(address, machine)
    .replace(query, '?…')
    .replace(email, '[e-mail]')
    .replace(ids, (found, isHarmless, isToken) => (isHarmless ? found : isToken ? '[token]' : '[number]'))
