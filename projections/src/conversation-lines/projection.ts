import type { Actor } from '@prosa/contracts/events/metadata'
import type { ConversationLine } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'

/** Ids and times only, so that an erased contact's past stays as it was. */
export interface ConversationLineRow {
  /** Of its event; of what may lead to another line in one append, stream and cause. */
  key: string
  /** Of its event. */
  id: string
  contactId: string
  tenant: string | null
  /** Log position, between those of messages. */
  position: string
  at: string
  kind: ConversationLine['kind']
  userId: string | null
  flowId: string | null
  connectionId: string | null
  reason: string | null
  /** Of an acceptance: where a run ended by it. */
  stoppedPosition: string | null
}

type Line = Pick<ConversationLineRow, 'kind'> &
  Partial<Pick<ConversationLineRow, 'userId' | 'flowId' | 'connectionId' | 'reason'>>

export const conversationLineTable: Table<ConversationLineRow> = {
  name: 'conversation_line',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    id: 'text not null',
    contactId: 'text collate "C" not null',
    tenant: 'text collate "C"',
    position: 'text collate "C" not null',
    at: 'text not null',
    kind: 'text not null',
    userId: 'text collate "C"',
    flowId: 'text collate "C"',
    connectionId: 'text collate "C"',
    reason: 'text',
    stoppedPosition: 'text collate "C"',
  },
  after: [
    'create index conversation_line_order on conversation_line (contact_id, position)',
    'create index conversation_line_owner on conversation_line (owner)',
  ],
}

const hourMs = 3_600_000

const byId = ({ id }: Stored) => id
const byCause = ({ stream, metadata }: Stored) => `${stream} ${metadata.causationId}`

/** Undefined: no line. */
const line = <E extends Stored>(
  of: (event: E, beside: ConversationLineRow | undefined) => Line | undefined,
  key: (event: E) => string = byId,
) => ({
  key,
  makes: true as const,
  row: (
    row: ConversationLineRow | undefined,
    event: E,
    beside: ConversationLineRow | undefined,
  ): ConversationLineRow | undefined => {
    const known = of(event, beside)
    if (row || !known) return row
    const { id, stream, position, metadata } = event
    return {
      ...{
        key: key(event),
        id,
        contactId: parseStream(stream).id,
        tenant: metadata.tenant,
        position,
        at: metadata.recordedAt,
      },
      ...{ userId: null, flowId: null, connectionId: null, reason: null, stoppedPosition: null },
      ...known,
    }
  },
})

const userOf = ({ kind, id }: Actor): string | null => (kind === 'user' ? id : null)

/** `beside`: a merge or a suspicion of the same append. */
const causeOf = ({ kind }: Actor, beside: ConversationLineRow | undefined): string => {
  if (beside) return beside.kind === 'merged' ? 'merge' : 'flow'
  if (kind === 'whatsapp') return 'message'
  return kind === 'flow' ? 'after_finish' : 'flow'
}

/** Others say themselves why a run ends. */
const stops: readonly string[] = [
  'silence',
  'flow_deleted',
  'connection_removed',
  'too_many_steps',
  'stopped',
  'unanswered',
] satisfies StoredOf<'FlowRunEnded'>['data']['reason'][]

const ended = ({ data: { flowId, reason } }: StoredOf<'FlowRunEnded'>): Line | undefined => {
  if (reason === 'handed_over') return { kind: 'flow_transferred', flowId }
  return stops.includes(reason) ? { kind: 'flow_stopped', flowId, reason } : undefined
}

/** What happened to a conversation, between its messages. */
export const conversationLines: Projection<ConversationLineRow> = {
  name: 'conversation-lines',
  version: 1,
  categories: ['contact', 'flowRun', 'user'],
  table: conversationLineTable,
  on: {
    ConversationAccepted: line(({ data: { attendantId } }) => ({ kind: 'accepted', userId: attendantId })),
    ConversationResolved: line(({ data: { attendantId, flowId } }) =>
      flowId === undefined ? { kind: 'finished', userId: attendantId } : { kind: 'finished_by_flow', flowId },
    ),
    ConversationReopened: {
      ...line(({ metadata }, beside) => ({ kind: 'reopened', reason: causeOf(metadata.actor, beside) })),
      beside: byCause,
    },
    ConversationResumed: line(({ data: { attendantId } }) => ({ kind: 'resumed', userId: attendantId })),
    ContactMerged: line(() => ({ kind: 'merged' }), byCause),
    ContactSeparated: line(({ metadata }) => ({ kind: 'separated', userId: userOf(metadata.actor) })),
    LineChosen: line(({ data: { attendantId, connectionId } }) => ({
      kind: 'line_chosen',
      userId: attendantId,
      connectionId,
    })),
    RobotSuspected: line(() => ({ kind: 'robot_suspected' }), byCause),
    RobotSuspicionCleared: line(({ data: { attendantId } }) =>
      attendantId === null ? undefined : { kind: 'robot_cleared', userId: attendantId },
    ),
    FlowRunStarted: line(({ data: { flowId, startedBy }, metadata }) =>
      startedBy === 'attendant'
        ? { kind: 'flow_started_by_hand', flowId, userId: userOf(metadata.actor) }
        : { kind: startedBy === 'flow' ? 'flow_went_on' : 'flow_started', flowId },
    ),
    BotPaused: line(({ data: { attendantId, pausedAt, until } }) => ({
      kind: 'bot_paused',
      userId: attendantId,
      reason: until === null ? null : `${Math.round((Date.parse(until) - Date.parse(pausedAt)) / hourMs)}`,
    })),
    BotResumed: line(({ data: { attendantId } }) => ({ kind: 'bot_resumed', userId: attendantId })),
    FlowRunEnded: [
      line(ended),
      {
        // The acceptance that ended it.
        key: ({ metadata }) => metadata.causationId,
        row: (row, { position, data: { reason, flowId } }) =>
          row?.kind === 'accepted' && reason === 'accepted' && row.stoppedPosition === null
            ? { ...row, flowId, stoppedPosition: position }
            : row,
      },
    ],
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
