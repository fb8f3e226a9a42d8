import type { MessageContent } from '@prosa/contracts/values/message-content'

interface Link {
  token: string
  url: string
}

const address = /https?:\/\/[^\s<>"'{}]+/g
const closing = /[.,;:!?)\]*_~]+$/

/** The text with each of these addresses led through Prosa at `publicUrl`; every other address stays as it is. */
export const withCountedLinks = (text: string, links: readonly Link[], publicUrl: string): string => {
  const shortOf = new Map(links.map(({ url, token }) => [url, new URL(`/r/${token}`, publicUrl).href]))
  return text.replaceAll(address, (found) => {
    const url = found.replace(closing, '')
    const short = shortOf.get(url)
    return short === undefined ? found : short + found.slice(url.length)
  })
}

/** The same of a message: its text or its caption. */
export const withCountedLinksIn = (
  content: MessageContent,
  links: readonly Link[],
  publicUrl: string,
): MessageContent => {
  if (content.kind === 'text') return { ...content, text: withCountedLinks(content.text, links, publicUrl) }
  return 'caption' in content ? { ...content, caption: withCountedLinks(content.caption, links, publicUrl) } : content
}
