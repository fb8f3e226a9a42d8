import type { HistoryRecordKind } from '@prosa/contracts/http/history'
import { parseStream } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { findRecord, parseRecordKey } from './records.ts'

const fields: Readonly<Record<string, HistoryRecordKind>> = {
  userId: 'user',
  tenantId: 'user',
  formerUserId: 'user',
  attendantId: 'user',
  orderId: 'order',
  deliveryId: 'delivery',
  connectionId: 'connection',
  contactId: 'contact',
  flowId: 'flow',
  folderId: 'folder',
  absorbed: 'contact',
  into: 'contact',
  restored: 'contact',
  from: 'contact',
  to: 'contact',
}

export interface Mention {
  kind: HistoryRecordKind
  id: string
}

const mentionIn = (field: string, value: string): Mention | undefined => {
  if (field === 'stream') return findRecord(value)
  if (field === 'record') return parseRecordKey(value)
  const kind = fields[field]
  return kind && { kind, id: value }
}

/** Lines and files have no timeline. */
const ownOf = (stream: string): Mention | undefined => {
  const { category, id } = parseStream(stream)
  return category === 'chat' ? { kind: 'contact', id } : findRecord(stream)
}

/** Distinct, its own stream's first. */
export const mentionsOf = ({ stream, data }: Pick<Stored, 'stream' | 'data'>): Mention[] => {
  const own = ownOf(stream)
  const found: Mention[] = own ? [{ kind: own.kind, id: own.id }] : []
  for (const [field, value] of Object.entries(data)) {
    const mention = typeof value === 'string' ? mentionIn(field, value) : undefined
    if (mention && !found.some((known) => known.kind === mention.kind && known.id === mention.id)) found.push(mention)
  }
  return found
}
