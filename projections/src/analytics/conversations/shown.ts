import type { PublishedConversation } from '@prosa/contracts/published/tables/conversations'
import type { Shown } from '../analytic-table.ts'
import { secondsBetween } from '../seconds.ts'
import type { ConversationRow } from './table.ts'

const statusOf = ({ turn, isErased, personId, contactId }: ConversationRow): string => {
  if (isErased) return 'erased'
  if (turn === 'resolved') return 'resolved'
  return personId === contactId ? turn : 'merged'
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
  tenant: id('account', row.owner),
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
