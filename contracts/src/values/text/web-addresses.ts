/** `url` without closing punctuation; `next`: character after both. */
export interface WebAddress {
  url: string
  index: number
  next: string
}

const address = /https?:\/\/[^\s<>"'{}]+/g
/** Sentence or WhatsApp formatting marks at the end. */
const closing = new Set('.,;:!?)]*_~')

/** Linear time. */
export const webAddressesIn = (text: string): WebAddress[] =>
  Array.from(text.matchAll(address), ({ 0: found, index }) => {
    let end = found.length
    while (closing.has(found.charAt(end - 1))) end--
    return { url: found.slice(0, end), index, next: text.charAt(index + found.length) }
  })
