import type { Instant } from '@prosa/contracts/values/instant'
import { linesTogether } from '@prosa/contracts/values/lines'
import type { ContactRow } from './table.ts'

/** Time of writing, but never the future and never back. The first message also replaces the time of adding. */
export const ownActivity = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant => {
  const moment = earliest([writtenAt, recordedAt])
  return row.lastMessageId !== null && row.ownActivity > moment ? row.ownActivity : moment
}

export const lastReceived = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant =>
  latest([row.lastReceivedAt ?? '', earliest([writtenAt, recordedAt])])

/** WhatsApp's storage limit: an earlier time means a wrong clock. */
const maxUndeliveredDays = 30

const mayBeSo = (writtenAt: Instant, recordedAt: Instant): boolean =>
  Date.parse(recordedAt) - Date.parse(writtenAt) <= maxUndeliveredDays * 24 * 3_600_000

/** A late message starts the wait when it was written. */
export const ownWaiting = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant | null => {
  if (row.serviceStatus !== 'waiting') return row.ownWaitingSince
  // Nobody waited: added by an attendant, or answered on the phone.
  const began = row.ownWaitingSince ?? recordedAt
  return mayBeSo(writtenAt, recordedAt) ? earliest([began, ownActivity(row, writtenAt, recordedAt)]) : began
}

const earliest = (moments: readonly Instant[]): Instant => moments.reduce((one, other) => (one < other ? one : other))

const latest = (moments: readonly Instant[]): Instant => moments.reduce((one, other) => (one > other ? one : other))

/** Latest activity, longest wait and all lines of merged contacts. */
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
