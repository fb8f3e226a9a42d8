import type { Contact } from '@prosa/contracts/http/live-chat'
import { lineAmong, type Successor } from '@prosa/contracts/values/lines'
import { visibleName } from '@prosa/contracts/values/text/visible-name'
import { type ContactRow, shownAsStored } from './table.ts'

export interface MergedContact {
  row: ContactRow
  /** Everything before this log position was seen by the contacts it was merged into. */
  seenBefore: string
}

const lastMessageOf = (row: ContactRow): Contact['lastMessage'] =>
  row.lastMessageKind && row.lastMessageSender
    ? {
        content: row.lastMessageLine ?? '',
        kind: row.lastMessageKind,
        sender: row.lastMessageSender,
        status: row.lastMessageStatus,
        isFlow: row.lastMessageIsFlow,
      }
    : null

const isLater = (one: ContactRow, other: ContactRow) => (one.lastMessagePlace ?? '') > (other.lastMessagePlace ?? '')

/** Unseen in its own chat and after merges. */
const unreadOf = ({ row, seenBefore }: MergedContact): number =>
  (row.lastMessagePlace ?? '') > seenBefore ? row.unreadCount : 0

const firstUnreadOf = (all: readonly MergedContact[]): string | null => {
  const unread = all.filter((each) => unreadOf(each) > 0).map(({ row }) => row)
  const [first] = unread.toSorted((one, other) =>
    (one.firstUnreadPlace ?? '') < (other.firstUnreadPlace ?? '') ? -1 : 1,
  )
  return first?.firstUnreadId ?? null
}

/** Older rows store unfiltered names. */
const seen = (name: string | null): string | null => (name && visibleName(name)) || null

const asStored = (row: ContactRow) =>
  Object.fromEntries(shownAsStored.map((field) => [field, row[field]])) as Pick<
    ContactRow,
    (typeof shownAsStored)[number]
  >

/** All of `absorbed` that were merged into the survivor, directly or not, by id. */
export const mergedInto = (survivor: ContactRow, absorbed: readonly ContactRow[]): MergedContact[] => {
  const children = new Map<string | null, ContactRow[]>()
  for (const row of absorbed) children.set(row.absorbedInto, [...(children.get(row.absorbedInto) ?? []), row])
  const behind = (parent: ContactRow, seenBefore: string): MergedContact[] =>
    (children.get(parent.id) ?? []).flatMap((row) => [
      { row, seenBefore },
      ...behind(row, row.seenPlace > seenBefore ? row.seenPlace : seenBefore),
    ])
  return behind(survivor, survivor.seenPlace).toSorted((one, other) => (one.row.id < other.row.id ? -1 : 1))
}

/** `existingLabels`: in display order; `successors`: to present connections. */
export const shownContact = (
  row: ContactRow,
  merged: readonly MergedContact[],
  existingLabels: readonly string[],
  successors: readonly Successor[],
): Contact => {
  const latest = merged.reduce((last, other) => (isLater(other.row, last) ? other.row : last), row)
  return {
    ...asStored(row),
    name: seen(row.name),
    // Older rows have WhatsApp's name in `name`.
    whatsappName: seen(row.whatsappName ?? (row.givenName === null ? row.name : null)),
    unreadCount: merged.reduce((count, other) => count + unreadOf(other), row.unreadCount),
    firstUnreadId: firstUnreadOf([{ row, seenBefore: '' }, ...merged]),
    lastMessage: lastMessageOf(latest),
    connectionId: lineAmong(row.lines ?? [], successors) ?? null,
    labels: existingLabels.filter((id) => row.labels.includes(id)),
    merged: merged.map(({ row: { id, name, phone } }) => ({ id, name: seen(name), phone })),
  }
}
