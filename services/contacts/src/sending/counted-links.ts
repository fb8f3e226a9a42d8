import type { MessageContent } from '@prosa/contracts/values/message-content'
import { webAddressesIn } from '@prosa/contracts/values/text/web-addresses'

interface Link {
  token: string
  url: string
}

/** Redirects only these addresses through `publicUrl`. */
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

export const withCountedLinksIn = (
  content: MessageContent,
  links: readonly Link[],
  publicUrl: string,
): MessageContent => {
  if (content.kind === 'text') return { ...content, text: withCountedLinks(content.text, links, publicUrl) }
  return 'caption' in content ? { ...content, caption: withCountedLinks(content.caption, links, publicUrl) } : content
}
