import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { type MessageFacts, messageFacts } from '@prosa/contracts/published/message-fields'
import { parseStream } from '@prosa/contracts/streams'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Projection, UpdateHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { furtherStatus } from '../../message-status.ts'
import { type AnalyticMessageRow, analyticMessageTable } from './table.ts'

type Row = AnalyticMessageRow | undefined
type About = Stored & { data: { messageId: string } }
type Facts = Pick<AnalyticMessageRow, 'kind' | 'characters' | 'fileBytes' | 'seconds' | 'isVoice' | 'isReply'>

const contact = ({ stream }: Stored) => parseStream(stream).id
const key = (event: About) => `${contact(event)}:${event.data.messageId}`

const factsOf = (content: MessageContent): Facts => {
  const { kind, characters, fileBytes, seconds, isVoice, isReply }: MessageFacts = messageFacts(content)
  return {
    kind,
    characters: characters ?? null,
    fileBytes: fileBytes === undefined ? null : String(fileBytes),
    seconds: seconds === undefined ? null : Math.round(seconds),
    isVoice: isVoice ?? null,
    isReply,
  }
}

const changed = (row: AnalyticMessageRow, { position, metadata }: Stored, change: Partial<AnalyticMessageRow>) => ({
  ...row,
  ...change,
  position,
  updatedAt: metadata.recordedAt,
})

type Written = StoredOf<'MessageReceived'> | StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>

const message = (
  event: Written,
  author: AnalyticMessageRow['author'],
  sentAt: string,
  status: MessageStatus | null,
): Row => {
  const { position, data, metadata } = event
  const { tenant, recordedAt } = metadata
  if (tenant === null) return undefined
  return {
    key: key(event),
    tenant,
    position,
    updatedAt: recordedAt,
    contactId: contact(event),
    personId: contact(event),
    messageId: data.messageId,
    connectionId: data.connectionId,
    author,
    ...{ attendantId: null, flowId: null, flowVersion: null, runId: null },
    ...factsOf(data.content),
    sentAt,
    recordedAt,
    status,
    ...{ acceptedAt: null, deliveredAt: null, readAt: null, failedAt: null, failureCode: null },
    retries: 0,
    ...{ editedAt: null, deletedAt: null },
  }
}

/** Of a retry the latest content counts. */
const queued = (row: Row, event: StoredOf<'MessageQueued'>): Row => {
  const { automatic, attendantId, flow, content, connectionId } = event.data
  if (row)
    return changed(row, event, {
      ...{ connectionId, status: 'queued', failedAt: null, failureCode: null },
      ...factsOf(content),
      retries: row.retries + 1,
    })
  const made = message(event, automatic ?? 'attendant', event.metadata.recordedAt, 'queued')
  const author = automatic === undefined ? { attendantId } : {}
  const { flowId = null, version: flowVersion = null, runId = null } = flow ?? {}
  return made && { ...made, ...author, flowId, flowVersion, runId }
}

const tick = (reported: MessageStatus, at: 'acceptedAt' | 'deliveredAt' | 'readAt') => ({
  key,
  row: (row: Row, event: About): Row => {
    if (!row) return undefined
    const status = furtherStatus(row.status, reported)
    const failure = status === 'failed' ? {} : { failedAt: null, failureCode: null }
    return changed(row, event, { status, ...failure, [at]: row[at] ?? event.metadata.recordedAt })
  },
})

/** Edits change text only. */
const edited = (row: Row, event: StoredOf<'MessageEdited'>): Row =>
  row && changed(row, event, { characters: factsOf(event.data.content).characters, editedAt: event.data.editedAt })

const allOfContact = <E extends Stored>(
  set: (event: E) => Partial<AnalyticMessageRow>,
): UpdateHandler<AnalyticMessageRow, E> => ({
  update: {
    column: 'contactId',
    value: contact,
    set: (event) => ({ ...set(event), position: event.position, updatedAt: event.metadata.recordedAt }),
  },
})

const erased: Facts = {
  kind: 'erased',
  ...{ characters: null, fileBytes: null, seconds: null, isVoice: null },
  isReply: false,
}

/** A row a message. Of an erased contact nothing stays that is of its content. */
export const analyticMessages: Projection<AnalyticMessageRow> = {
  name: 'analytic-messages',
  version: 1,
  categories: ['chat', 'contact', 'user'],
  table: analyticMessageTable,
  on: {
    MessageReceived: {
      key,
      makes: true,
      row: (row, event) => row ?? message(event, 'contact', event.data.sentAt, null),
    },
    MessageSentElsewhere: {
      key,
      makes: true,
      row: (row, event) => row ?? message(event, 'phone', event.data.sentAt, 'sent'),
    },
    MessageQueued: { key, makes: true, row: queued },
    MessageSent: tick('sent', 'acceptedAt'),
    MessageDelivered: tick('delivered', 'deliveredAt'),
    MessageRead: tick('read', 'readAt'),
    MessageFailed: {
      key,
      row: (row, event) => {
        if (!row || furtherStatus(row.status, 'failed') !== 'failed') return row
        return changed(row, event, {
          status: 'failed',
          failedAt: event.metadata.recordedAt,
          failureCode: event.data.code,
        })
      },
    },
    MessageEdited: { key, row: edited },
    MessageDeleted: {
      key,
      row: (row, event) => row && changed(row, event, { deletedAt: event.data.deletedAt }),
    },
    ContactAbsorbed: allOfContact<StoredOf<'ContactAbsorbed'>>(({ data }) => ({ personId: data.into })),
    ContactRestored: allOfContact<StoredOf<'ContactRestored'>>((event) => ({ personId: contact(event) })),
    ChatErased: allOfContact<StoredOf<'ChatErased'>>(() => erased),
    UserErased: { purge: { column: 'tenant', value: contact } },
  },
}
