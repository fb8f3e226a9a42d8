// Matches start only at the start of a run: linear time.
const address = /(?<![a-z\d+.-])[\d+.-]*[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi
const query = /\?[^\s"'<>?]*=[^\s"'<>]*/g
const email = /(?<![^\s@<>"'=,;:()[\]])[^\s@<>"'=,;:()[\]]+@[^\s@<>"'=,;:()[\]]+/g

/** Not personal: ids, instants, positions, message ids. */
const id = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/
const position = /(?<![\d+])\d{19,}(?!\d)/
const messageId = /\b(?=[\dA-F]*[A-F])[\dA-F]{12,31}\b/
const token = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}(?![\w-])/
const number = /\+?\(?\d(?:[\s().-]{0,2}\d){7,}/
const harmless = [id, instant, position, messageId].map(({ source }) => source).join('|')
const ids = new RegExp(`(${harmless})|(${token.source})|${number.source}`, 'g')

/** Keeps scheme, host and port: the rest may identify a person. */
const machine = (found: string): string => {
  if (!URL.canParse(found)) return '[address]'
  const { protocol, host, pathname, search } = new URL(found)
  return `${protocol}//${host}${pathname.length <= 1 && !search ? '' : '/…'}`
}

const maxLength = 2000

/** Removes addresses, phone and document numbers and tokens; it cannot recognize names. */
export const scrub = (text: string): string =>
  (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
    .replace(address, machine)
    .replace(query, '?…')
    .replace(email, '[e-mail]')
    .replace(ids, (found, isHarmless, isToken) => (isHarmless ? found : isToken ? '[token]' : '[number]'))
