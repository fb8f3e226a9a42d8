/** What is answered by programs, never by a page of the web app. */
const reserved = new Set(['api', 'assets', 'health', 'kiwify', 'metrics', 'r', 'socket.io'])

/** Nobody encodes an address more than twice by mistake. */
const decodings = 4

/** Of ASCII only: whatever else an address spells, it is none of the reserved names. */
const decodeOnce = (path: string): string =>
  path.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** What no browser sends in the path of a page: dot segments, empty ones, what separates parameters, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const odd = /[\0-\x1f\x7f\\;]|\/\/|\/\.{1,2}(\/|$)/

/**
 * Whether the web app may show a page under this address of a request: not where it comes, in any spelling that a server or a proxy
 * might read so, to an address of the API, of sockets or of files.
 */
export const isPageAddress = (url: string): boolean => {
  let path = url.split(/[?#]/, 1)[0] ?? ''
  for (let count = 0; count < decodings && path.includes('%'); count++) path = decodeOnce(path)
  if (!path.startsWith('/') || odd.test(path) || /%[0-7][0-9a-f]/i.test(path)) return false
  const [, first = '', ...rest] = path.toLowerCase().split('/')
  const isFile = /\.[a-z0-9]+$/.test(rest.at(-1) ?? first)
  return !isFile && !reserved.has(first.trim())
}
