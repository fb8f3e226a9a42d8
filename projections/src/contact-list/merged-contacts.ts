import type { Contact } from '@prosa/contracts/http/live-chat'
import { lineAmong, type Successor } from '@prosa/contracts/values/lines'
import { visibleName } from '@prosa/contracts/values/visible-name'
import type { ContactRow } from './table.ts'

/** A contact that stands behind another one. */
export interface MergedContact {
  row: ContactRow
  /** Place of the log up to which everything has been seen by whoever stands before it. */
  seenBefore: string
}

const lastMessageOf = (row: ContactRow): Contact['lastMessage'] =>
  row.lastMessageKind && row.lastMessageSender
    ? {
        content: row.lastMessageLine ?? '',
        kind: row.lastMessageKind,
        sender: row.lastMessageSender,
        status: row.lastMessageStatus,
      }
    : null

const isLater = (one: ContactRow, other: ContactRow) => (one.lastMessagePlace ?? '') > (other.lastMessagePlace ?? '')

/** What nobody has seen yet, neither in the chat of its own nor as part of the one that it was merged into. */
const unreadOf = ({ row, seenBefore }: MergedContact): number =>
  (row.lastMessagePlace ?? '') > seenBefore ? row.unreadCount : 0

/** The oldest of what nobody has seen in any of these chats. */
const firstUnreadOf = (all: readonly MergedContact[]): string | null => {
  const unread = all.filter((each) => unreadOf(each) > 0).map(({ row }) => row)
  const [first] = unread.toSorted((one, other) =>
    (one.firstUnreadPlace ?? '') < (other.firstUnreadPlace ?? '') ? -1 : 1,
  )
  return first?.firstUnreadId ?? null
}

/** Names were kept as they came once. */
const seen = (name: string | null): string | null => (name && visibleName(name)) || null

/**
 * A contact together with those who turned out to be the same person: it goes on for all of them. `standing` are labels that were
 * not deleted, in the order to show them; `successors` lead to the subscriber's connections of today.
 */
export const shownContact = (
  row: ContactRow,
  merged: readonly MergedContact[],
  standing: readonly string[],
  successors: readonly Successor[],
): Contact => {
  const latest = merged.reduce((last, other) => (isLater(other.row, last) ? other.row : last), row)
  return {
    id: row.id,
    name: seen(row.name),
    // Rows of a version in which nobody gave names of their own have the person's in `name` alone.
    whatsappName: seen(row.whatsappName ?? (row.givenName === null ? row.name : null)),
    phone: row.phone,
    lastActivity: row.lastActivity,
    serviceStatus: row.serviceStatus,
    waitingSince: row.waitingSince,
    unreadCount: merged.reduce((count, other) => count + unreadOf(other), row.unreadCount),
    firstUnreadId: firstUnreadOf([{ row, seenBefore: '' }, ...merged]),
    lastMessage: lastMessageOf(latest),
    connectionId: lineAmong(row.lines ?? [], successors) ?? null,
    labels: standing.filter((id) => row.labels.includes(id)),
    suspectedRobot: row.suspectedRobot,
    numberMoved: row.numberMoved,
    merged: merged.map(({ row: { id, name, phone } }) => ({ id, name: seen(name), phone })),
  }
}
