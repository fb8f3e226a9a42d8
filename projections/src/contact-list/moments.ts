import type { Instant } from '@prosa/contracts/values/instant'
import { linesTogether } from '@prosa/contracts/values/lines'
import type { ContactRow } from './table.ts'

/**
 * When people wrote counts, not when we received it; but never later than now, and never back. The first message of a contact
 * also replaces the moment of its adding.
 */
export const ownActivity = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant => {
  const moment = earliest([writtenAt, recordedAt])
  return row.lastMessageId !== null && row.ownActivity > moment ? row.ownActivity : moment
}

/** When the contact wrote last, by the same clocks. */
export const lastReceived = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant =>
  latest([row.lastReceivedAt ?? '', earliest([writtenAt, recordedAt])])

/** WhatsApp keeps no longer what it could not deliver: whoever seems to have written before has a wrong clock. */
const maxUndeliveredDays = 30

const mayBeSo = (writtenAt: Instant, recordedAt: Instant): boolean =>
  Date.parse(recordedAt) - Date.parse(writtenAt) <= maxUndeliveredDays * 24 * 3_600_000

/** Since when a contact waits that wrote: a message that was late began the waiting when it was written, by the same clocks. */
export const ownWaiting = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant | null => {
  if (row.serviceStatus !== 'waiting') return row.ownWaitingSince
  // Added by an attendant, or answered on the phone: until now nobody waited.
  const began = row.ownWaitingSince ?? recordedAt
  return mayBeSo(writtenAt, recordedAt) ? earliest([began, ownActivity(row, writtenAt, recordedAt)]) : began
}

const earliest = (moments: readonly Instant[]): Instant => moments.reduce((one, other) => (one < other ? one : other))

const latest = (moments: readonly Instant[]): Instant => moments.reduce((one, other) => (one > other ? one : other))

/**
 * The contact together with those that stand behind it: as active as the last of them, waiting as long as the first, on the lines of all.
 */
export const together = (row: ContactRow, change: Partial<ContactRow>): ContactRow => {
  const changed = { ...row, ...change }
  const { ownActivity, ownWaitingSince, ownLines, serviceStatus, merged } = changed
  const behind = merged.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ lines = [] }) => lines)
  const waiting = [{ waitingSince: ownWaitingSince }, ...merged].flatMap(({ waitingSince }) => waitingSince ?? [])
  return {
    ...changed,
    lines: ownLines && linesTogether([...behind, ownLines]),
    lastActivity: latest([ownActivity, ...merged.map((each) => each.lastActivity)]),
    waitingSince: serviceStatus === 'waiting' && waiting.length > 0 ? earliest(waiting) : null,
  }
}
