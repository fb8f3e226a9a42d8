const reserved = new Set(['api', 'assets', 'health', 'kiwify', 'metrics', 'r', 'socket.io'])

const decodings = 4

/** The reserved names are ASCII. */
const decodeOnce = (path: string): string =>
  path.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Never in a page's path: dot and empty segments, parameter separators, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const odd = /[\0-\x1f\x7f\\;]|\/\/|\/\.{1,2}(\/|$)/

/** False for any spelling that a server or proxy might read as another kind of address. */
export const isPageAddress = (url: string): boolean => {
  let path = url.split(/[?#]/, 1)[0] ?? ''
  for (let count = 0; count < decodings && path.includes('%'); count++) path = decodeOnce(path)
  if (!path.startsWith('/') || odd.test(path) || /%[0-7][0-9a-f]/i.test(path)) return false
  const [, first = '', ...rest] = path.toLowerCase().split('/')
  const isFile = /\.[a-z0-9]+$/.test(rest.at(-1) ?? first)
  return !isFile && !reserved.has(first.trim())
}
