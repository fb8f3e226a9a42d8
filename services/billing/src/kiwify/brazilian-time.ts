import type { Instant } from '@prosa/contracts/values/instant'
import { saoPauloOffset } from '@prosa/contracts/values/sao-paulo'

const withoutZone = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/

/**
 * A moment as Kiwify writes it: 'yyyy-MM-dd HH:mm' without a zone is the time of São Paulo, ISO 8601 with a zone is what it
 * states. Undefined where it is neither.
 */
export const kiwifyInstant = (text: unknown): Instant | undefined => {
  if (typeof text !== 'string') return undefined
  const local = withoutZone.exec(text)
  if (local) {
    const [year, month, day, hour, minute, second] = local.slice(1).map((digits) => Number(digits ?? 0))
    const asUtc = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second ?? 0)
    if (new Date(asUtc).getUTCDate() !== day) return undefined
    // The offset at the moment itself: two steps reach it, also beside a change of the clocks.
    const nearly = asUtc - saoPauloOffset(asUtc)
    return new Date(asUtc - saoPauloOffset(nearly)).toISOString()
  }
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString()
}
