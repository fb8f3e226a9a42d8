import type { Refusal } from '@prosa/contracts/refusals'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Budgets } from '@prosa/product/budgets'

export interface Usage {
  storedBytes: number
  reservedBytes: number
  /** The last 24 hours, also under way. */
  uploadedBytes: number
  uploadedFiles: number
}

export type FileBudgets = Pick<Budgets, 'uploadedBytesPerDay' | 'uploadedFilesPerDay' | 'keptBytesPerTenant'>

export type UploadRefusal = Extract<Refusal, 'media_day_used_up' | 'media_over_day' | 'media_storage_full'>

/** `beyond` names the quota where it is below the limit of a file. */
export type UploadQuota = { bytes: number; beyond: UploadRefusal | undefined } | { refused: UploadRefusal }

/** Unknown length: as much as remains, up to the limit. */
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
  const storage = keptBytesPerTenant - usage.storedBytes - usage.reservedBytes
  if (needed > storage) return { refused: 'media_storage_full' }
  if (wanted !== undefined) return { bytes: wanted, beyond: undefined }
  const bytes = Math.min(max, today, storage)
  if (bytes === max) return { bytes, beyond: undefined }
  return { bytes, beyond: bytes === today ? 'media_day_used_up' : 'media_storage_full' }
}

/** `full`: it does not fit; `later`: not beside incoming ones. `claimed` is the sender's claim of its size. */
export const quotaForReceived = (
  { storedBytes, reservedBytes }: Usage,
  claimed: number,
  max: number,
  { keptBytesPerTenant }: FileBudgets,
): { bytes: number } | { refused: 'full' | 'later' } => {
  const needed = Math.max(1, Math.min(claimed, max))
  const left = keptBytesPerTenant - storedBytes
  if (needed > left) return { refused: 'full' }
  if (needed > left - reservedBytes) return { refused: 'later' }
  return { bytes: Math.min(max, left - reservedBytes) }
}

export interface Charge {
  beganAt: Instant
  bytes: number
}

export const dayMs = 24 * 3_600_000

/** Until enough uploads are a day old. */
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
