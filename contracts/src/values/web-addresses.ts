/** An address in a text, without what closes a sentence behind it, and what stands right behind it: '' at the end of the text. */
export interface WebAddress {
  url: string
  index: number
  next: string
}

const address = /https?:\/\/[^\s<>"'{}]+/g
/** Marks that close a sentence or WhatsApp's formatting, which are taken for no part of an address at whose end they stand. */
const closing = new Set('.,;:!?)]*_~')

/** The addresses in a text, in its order. The time grows with its length: nothing is looked at more than twice. */
export const webAddressesIn = (text: string): WebAddress[] =>
  Array.from(text.matchAll(address), ({ 0: found, index }) => {
    let end = found.length
    while (closing.has(found.charAt(end - 1))) end--
    return { url: found.slice(0, end), index, next: text.charAt(index + found.length) }
  })
