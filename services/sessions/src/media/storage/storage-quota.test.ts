import { later } from '@prosa/kernel/clock'
import { describe, expect, it } from 'vitest'
import { quotaForReceived, quotaForUpload, secondsUntilQuota, type Usage } from './storage-quota.ts'

const budgets = { uploadedBytesPerDay: 1000, uploadedFilesPerDay: 3, keptBytesPerTenant: 5000 }
const usage = (used: Partial<Usage> = {}): Usage => ({
  ...{ storedBytes: 0, reservedBytes: 0, uploadedBytes: 0, uploadedFiles: 0 },
  ...used,
})
const now = '2026-11-23T12:00:00.000Z'
const hoursAgo = (hours: number) => later(now, -hours * 3_600_000)

describe('room for an upload', () => {
  it.each<[string, Partial<Usage>, number | undefined, unknown]>([
    ['all of what it claims', {}, 1000, { bytes: 1000, beyond: undefined }],
    [
      'what the day leaves, when it claims nothing',
      { uploadedBytes: 600 },
      undefined,
      { bytes: 400, beyond: 'media_day_used_up' },
    ],
    [
      'what the storage leaves, when that is less',
      { storedBytes: 4900 },
      undefined,
      { bytes: 100, beyond: 'media_storage_full' },
    ],
    ['no more than a file may weigh', {}, undefined, { bytes: 900, beyond: undefined }],
    ['none beyond the bytes of a day', { uploadedBytes: 600 }, 401, { refused: 'media_day_used_up' }],
    ['none beyond the files of a day, an empty one neither', { uploadedFiles: 3 }, 0, { refused: 'media_day_used_up' }],
    ['none that a whole day would not hold', {}, 1001, { refused: 'media_over_day' }],
    [
      'none beside what is coming in',
      { storedBytes: 4000, reservedBytes: 900 },
      101,
      { refused: 'media_storage_full' },
    ],
    [
      'none at all when it claims nothing and nothing is left',
      { storedBytes: 5000 },
      undefined,
      { refused: 'media_storage_full' },
    ],
  ])('is %s', (_, used, wanted, quota) => expect(quotaForUpload(usage(used), wanted, 900, budgets)).toEqual(quota))
})

describe('room for a received file', () => {
  it.each<[string, Partial<Usage>, number, unknown]>([
    ['as much as its kind may weigh, whatever its sender claims', {}, 10, { bytes: 900 }],
    ['what is left', { storedBytes: 4000, reservedBytes: 600 }, 10, { bytes: 400 }],
    ['none when it is known not to fit', { storedBytes: 4800 }, 201, { refused: 'full' }],
    ['none yet while others are coming in', { storedBytes: 4000, reservedBytes: 900 }, 101, { refused: 'later' }],
    [
      'none when nothing is left, though its sender claims that it weighs nothing',
      { storedBytes: 5000 },
      0,
      { refused: 'full' },
    ],
  ])('is %s', (_, used, claimed, quota) => expect(quotaForReceived(usage(used), claimed, 900, budgets)).toEqual(quota))
})

describe('the wait for room', () => {
  it('lasts until the bytes that are in the way are a day old', () => {
    const charges = [
      { beganAt: hoursAgo(20), bytes: 500 },
      { beganAt: hoursAgo(23), bytes: 400 },
    ]
    expect(secondsUntilQuota(charges, 300, budgets, now)).toBe(3600)
    expect(secondsUntilQuota(charges, 700, budgets, now)).toBe(4 * 3600)
  })

  it('lasts until a file less counts', () => {
    const charges = [20, 22, 23].map((hours) => ({ beganAt: hoursAgo(hours), bytes: 1 }))
    expect(secondsUntilQuota(charges, 1, budgets, now)).toBe(3600)
  })

  it('is never no wait at all', () => expect(secondsUntilQuota([], 1, budgets, now)).toBe(1))
})
