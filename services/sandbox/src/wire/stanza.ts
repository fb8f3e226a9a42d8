import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from '@whiskeysockets/baileys'

export type Stanza = BinaryNode
export type Attrs = Record<string, string | undefined>

/** The leading @ matters: Baileys compares `from` of notifications with it. */
export const SERVER = '@s.whatsapp.net'

/** Omits undefined attributes. */
export function el(tag: string, attrs: Attrs = {}, content?: BinaryNode['content']): Stanza {
  const present = Object.entries(attrs).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { tag, attrs: Object.fromEntries(present), content }
}

export const child = (node: Stanza | undefined, tag: string) => getBinaryNodeChild(node, tag)
export const children = (node: Stanza | undefined, tag: string) => getBinaryNodeChildren(node, tag)
export const firstChild = (node: Stanza) => (Array.isArray(node.content) ? node.content[0] : undefined)

/** Throws when there are none. */
export function bytes(node: Stanza | undefined, tag?: string): Buffer {
  const target = tag ? child(node, tag) : node
  if (!(target?.content instanceof Uint8Array)) throw new Error(`<${tag ?? node?.tag}> carries no bytes`)
  return Buffer.from(target.content)
}

export const uint = (buffer: Uint8Array) => buffer.reduce((sum, byte) => sum * 256 + byte, 0)

export function beBytes(value: number, width: number): Buffer {
  const out = Buffer.alloc(width)
  out.writeUIntBE(value, 0, width)
  return out
}

export const seconds = () => Math.floor(Date.now() / 1000)

export const stanzaTime = (at: number | undefined) => (at === undefined ? undefined : String(Math.floor(at / 1000)))

let serial = 0
export const nextId = (prefix: string) => `${prefix}.${Date.now().toString(36)}-${++serial}`

/** One line for logs: `<iq type=get xmlns=w:p><ping/></iq>`; bytes as their length. */
export function brief(node: Stanza, depth = 2): string {
  const attrs = Object.entries(node.attrs ?? {}).map(([name, value]) => ` ${name}=${value}`)
  const open = `${node.tag}${attrs.join('')}`
  const { content } = node
  if (content === undefined || (Array.isArray(content) && !content.length)) return `<${open}/>`
  if (content instanceof Uint8Array) return `<${open}>${content.length}B</${node.tag}>`
  if (!Array.isArray(content)) return `<${open}>${content}</${node.tag}>`
  if (depth === 0) return `<${open}>…</${node.tag}>`
  const shown = content.slice(0, 3).map((inner) => brief(inner, depth - 1))
  return `<${open}>${shown.join('')}${content.length > 3 ? `…+${content.length - 3}` : ''}</${node.tag}>`
}
