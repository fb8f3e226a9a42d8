import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { plainText } from './plain-text.ts'

/** The subscriber's quick replies by shortcut, active or not. Kept fresh by pushes. */
export const quickRepliesQuery = queryOptions({
  queryKey: ['quick-replies'],
  queryFn: () => call('GET /api/quick-replies'),
  staleTime: 30_000,
})

/**
 * The replies with this text in the shortcut or the content, without case and accents: first those whose shortcut begins with
 * it, then those with it in the shortcut, then the rest. A blank text finds all.
 */
export const findQuickReplies = (replies: readonly QuickReply[], text: string): QuickReply[] => {
  const wanted = plainText(text.trim())
  const rank = ({ shortcut, content }: QuickReply): number => {
    const place = plainText(shortcut).indexOf(wanted)
    if (place >= 0) return place === 0 ? 0 : 1
    return plainText(content).includes(wanted) ? 2 : 3
  }
  return replies
    .map((reply) => ({ reply, rank: rank(reply) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ reply }) => reply)
}
