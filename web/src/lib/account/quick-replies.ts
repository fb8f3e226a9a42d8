import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { queryOptions } from '@tanstack/react-query'
import { plainText } from '../format/plain-text.ts'
import { call } from '../http/call.ts'

/** By shortcut, active or not; pushes refresh it. */
export const quickRepliesQuery = queryOptions({
  queryKey: ['quick-replies'],
  queryFn: ({ signal }) => call('GET /api/quick-replies', { signal }),
  staleTime: 30_000,
})

/** Ranked: prefix of the shortcut, within the shortcut, within the content. */
export const findQuickReplies = (replies: readonly QuickReply[], text: string): QuickReply[] => {
  const wanted = plainText(text.trim())
  const rank = ({ shortcut, content }: QuickReply): number => {
    const at = plainText(shortcut).indexOf(wanted)
    if (at >= 0) return at === 0 ? 0 : 1
    return plainText(content).includes(wanted) ? 2 : 3
  }
  return replies
    .map((reply) => ({ reply, rank: rank(reply) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ reply }) => reply)
}
