import type { MessageContent } from '@prosa/contracts/values/message-content'
import { webAddressesIn } from '@prosa/contracts/values/web-addresses'

interface Link {
  token: string
  url: string
}

/** The text with each of these addresses led through Prosa at `publicUrl`; every other address stays as it is. */
export const withCountedLinks = (text: string, links: readonly Link[], publicUrl: string): string => {
  const shortOf = new Map(links.map(({ url, token }) => [url, new URL(`/r/${token}`, publicUrl).href]))
  let counted = ''
  let at = 0
  for (const { url, index } of webAddressesIn(text)) {
    counted += text.slice(at, index) + (shortOf.get(url) ?? url)
    at = index + url.length
  }
  return counted + text.slice(at)
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
