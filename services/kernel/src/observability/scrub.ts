// Each begins only where a run of its characters does, so that no run is read again from each of them: the time grows with the text.
const address = /(?<![a-z\d+.-])[\d+.-]*[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi
const query = /\?[^\s"'<>?]*=[^\s"'<>]*/g
const email = /(?<![^\s@<>"'=,;:()[\]])[^\s@<>"'=,;:()[\]]+@[^\s@<>"'=,;:()[\]]+/g

/** What looks like a number of a person and is none: ids, instants, positions in a log, ids of WhatsApp messages. */
const id = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/
const position = /(?<![\d+])\d{19,}(?!\d)/
const messageId = /\b(?=[\dA-F]*[A-F])[\dA-F]{12,31}\b/
const token = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}(?![\w-])/
/** Eight digits or more, with whatever people write between them. */
const number = /\+?\(?\d(?:[\s().-]{0,2}\d){7,}/
const harmless = [id, instant, position, messageId].map(({ source }) => source).join('|')
const ids = new RegExp(`(${harmless})|(${token.source})|${number.source}`, 'g')

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
