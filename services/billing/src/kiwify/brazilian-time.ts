import type { Instant } from '@prosa/contracts/values/instant'
import { saoPauloOffset } from '@prosa/contracts/values/time/sao-paulo'

const withoutZone = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/

/** São Paulo time without a zone ('yyyy-MM-dd HH:mm'), otherwise ISO 8601. */
export const kiwifyInstant = (text: unknown): Instant | undefined => {
  if (typeof text !== 'string') return undefined
  const local = withoutZone.exec(text)
  if (local) {
    const [year, month, day, hour, minute, second] = local.slice(1).map((digits) => Number(digits ?? 0))
    const asUtc = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second ?? 0)
    if (new Date(asUtc).getUTCDate() !== day) return undefined
    // Two iterations find the offset, also near clock changes.
    const nearly = asUtc - saoPauloOffset(asUtc)
    return new Date(asUtc - saoPauloOffset(nearly)).toISOString()
  }
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString()
}
