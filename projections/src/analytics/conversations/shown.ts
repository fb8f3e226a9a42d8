import type { PublishedConversation } from '@prosa/contracts/published/tables/conversations'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Shown } from '../analytic-table.ts'
import type { ConversationRow } from './table.ts'

/** Whole seconds; null without both, or where the end comes first. */
const secondsBetween = (from: Instant | null, to: Instant | null): number | null => {
  if (from === null || to === null || to < from) return null
  return Math.round((Date.parse(to) - Date.parse(from)) / 1000)
}

const statusOf = ({ serviceStatus, isErased, personId, contactId }: ConversationRow): string => {
  if (isErased) return 'erased'
  if (serviceStatus === 'resolved') return 'resolved'
  return personId === contactId ? serviceStatus : 'merged'
}

const handledBy = ({ sentByPerson, sentByRule }: ConversationRow): string => {
  if (sentByPerson > 0) return sentByRule > 0 ? 'both' : 'person'
  return sentByRule > 0 ? 'flow' : 'nobody'
}

export interface NamedConversation extends ConversationRow {
  contactName?: string | null
  contactPhone?: string | null
}

export const shownConversation: Shown<NamedConversation, PublishedConversation> = (row, { id, withPersonal }) => ({
  id: row.conversationId ?? '',
  tenant: id('account', row.tenant),
  contactId: id('contact', row.personId),
  number: row.number,
  status: statusOf(row),
  openedAt: row.openedAt,
  openedBy: row.openedBy,
  connectionId: id('connection', row.connectionId),
  firstMessageAt: row.firstMessageAt,
  firstAnswerAt: row.firstAnswerAt,
  firstAnswerBy: row.firstAnswerBy,
  firstAnswerSeconds: secondsBetween(row.firstMessageAt, row.firstAnswerAt),
  firstPersonAnswerAt: row.firstPersonAnswerAt,
  firstPersonAnswerSeconds: secondsBetween(row.firstMessageAt, row.firstPersonAnswerAt),
  acceptedAt: row.acceptedAt,
  waitSeconds: secondsBetween(row.firstMessageAt, row.acceptedAt),
  attendantId: id('account', row.attendantId),
  resolvedAt: row.resolvedAt,
  durationSeconds: secondsBetween(row.openedAt, row.resolvedAt),
  handledBy: handledBy(row),
  received: row.received,
  sentByPerson: row.sentByPerson,
  sentByRule: row.sentByRule,
  reopenedAt: row.reopenedAt,
  reopenedBy: row.reopenedBy,
  updatedAt: row.updatedAt,
  ...(withPersonal && { contactName: row.contactName ?? null, contactPhone: row.contactPhone ?? null }),
})
