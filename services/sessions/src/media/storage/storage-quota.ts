import type { Refusal } from '@prosa/contracts/refusals'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Budgets } from '@prosa/kernel/budgets'

/** What a tenant has of the storage, in bytes. */
export interface Usage {
  keptBytes: number
  /** Reserved for files that are coming in, uploaded or received. */
  reservedBytes: number
  /** Of the last 24 hours, with what is reserved for uploads under way. */
  uploadedBytes: number
  uploadedFiles: number
}

export type FileBudgets = Pick<Budgets, 'uploadedBytesPerDay' | 'uploadedFilesPerDay' | 'keptBytesPerTenant'>

export type UploadRefusal = Extract<Refusal, 'media_day_used_up' | 'media_over_day' | 'media_storage_full'>

/** What an upload may weigh, and which budget that comes from where it is less than a file may weigh at all. */
export type UploadQuota = { bytes: number; beyond: UploadRefusal | undefined } | { refused: UploadRefusal }

/** How much of an upload fits: all of `wanted`, or, where its length is not given, as much as there is, up to `most`. */
export const quotaForUpload = (
  usage: Usage,
  wanted: number | undefined,
  max: number,
  budgets: FileBudgets,
): UploadQuota => {
  const { uploadedBytesPerDay, uploadedFilesPerDay, keptBytesPerTenant } = budgets
  const needed = wanted ?? 1
  if (needed > uploadedBytesPerDay) return { refused: 'media_over_day' }
  const today = uploadedBytesPerDay - usage.uploadedBytes
  if (usage.uploadedFiles >= uploadedFilesPerDay || needed > today) return { refused: 'media_day_used_up' }
  const storage = keptBytesPerTenant - usage.keptBytes - usage.reservedBytes
  if (needed > storage) return { refused: 'media_storage_full' }
  if (wanted !== undefined) return { bytes: wanted, beyond: undefined }
  const bytes = Math.min(max, today, storage)
  if (bytes === max) return { bytes, beyond: undefined }
  return { bytes, beyond: bytes === today ? 'media_day_used_up' : 'media_storage_full' }
}

/**
 * How much of a received file may come: up to `most`. `full`: it does not fit, `later`: not beside those that are coming in.
 * `claimed` is the size that its sender claims.
 */
export const quotaForReceived = (
  { keptBytes, reservedBytes }: Usage,
  claimed: number,
  max: number,
  { keptBytesPerTenant }: FileBudgets,
): { bytes: number } | { refused: 'full' | 'later' } => {
  const needed = Math.max(1, Math.min(claimed, max))
  const left = keptBytesPerTenant - keptBytes
  if (needed > left) return { refused: 'full' }
  if (needed > left - reservedBytes) return { refused: 'later' }
  return { bytes: Math.min(max, left - reservedBytes) }
}

export interface Charge {
  beganAt: Instant
  bytes: number
}

export const dayMs = 24 * 3_600_000

/** In how many seconds the day has room for a file of `wanted` bytes: when enough of what was uploaded is a day old. */
export const secondsUntilQuota = (
  charges: readonly Charge[],
  wanted: number,
  { uploadedBytesPerDay, uploadedFilesPerDay }: FileBudgets,
  now: Instant,
): number => {
  let bytes = charges.reduce((sum, charge) => sum + charge.bytes, 0)
  let files = charges.length
  let quotaAt = Date.parse(now)
  for (const charge of charges.toSorted((one, other) => Date.parse(one.beganAt) - Date.parse(other.beganAt))) {
    if (files < uploadedFilesPerDay && bytes + wanted <= uploadedBytesPerDay) break
    bytes -= charge.bytes
    files -= 1
    quotaAt = Date.parse(charge.beganAt) + dayMs
  }
  return Math.max(1, Math.ceil((quotaAt - Date.parse(now)) / 1000))
}
