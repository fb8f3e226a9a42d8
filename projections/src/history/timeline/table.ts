import type { HistoryGroup } from '@prosa/contracts/http/history'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Ids only. */
export interface TimelineRow {
  id: string
  place: string
  stream: string
  revision: number
  type: string
  /** `order:<id>` */
  record: string
  groupName: HistoryGroup
  /** Null: not shown by the event; '*': every account. */
  account: string | null
  actorKind: string
  actorId: string
  correlationId: string
  causationId: string
  recordedAt: string
  /** The thread's first event. */
  thread: string
  threadAt: string
  depth: number
  tenant: string | null
  /** Of the stream. */
  category: string | null
  /** `label:<id>`, of things without a record of their own. */
  part: string | null
}

export const timelineTable: Table<TimelineRow> = {
  name: 'history_place',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    place: 'text collate "C" not null',
    stream: 'text not null',
    revision: 'bigint not null',
    type: 'text not null',
    record: 'text collate "C" not null',
    groupName: 'text collate "C" not null',
    account: 'text collate "C"',
    actorKind: 'text collate "C" not null',
    actorId: 'text collate "C" not null',
    correlationId: 'text collate "C" not null',
    causationId: 'text not null',
    recordedAt: 'text collate "C" not null',
    thread: 'text collate "C" not null',
    threadAt: 'text collate "C" not null',
    depth: 'int not null',
    tenant: 'text collate "C"',
    category: 'text collate "C"',
    part: 'text collate "C"',
  },
  added: { tenant: { notKnownYet: true }, category: { notKnownYet: true }, part: { notKnownYet: true } },
  after: [
    'create index history_place_thread on history_place (thread, place)',
    'create index history_place_record on history_place (record, thread)',
    'create index history_place_account on history_place (account, thread) where account is not null',
    'create index history_place_owner on history_place (owner, stream) where owner is not null',
    'create index history_place_tenant on history_place (owner, thread) where owner is not null',
    'create index history_place_category on history_place (owner, category, thread) where owner is not null',
    'create index history_place_part on history_place (part, thread) where part is not null',
    'create index history_place_group on history_place (group_name, thread)',
    'create index history_place_actor on history_place (actor_kind, thread)',
    `create index history_place_person on history_place (actor_id, thread) where actor_kind in ('user', 'admin')`,
    'create index history_place_correlation on history_place (correlation_id, thread)',
    `create index history_place_erasure on history_place (place desc)
     where type in ('UserErased', 'ContactErased', 'BuyerErased') and depth = 0`,
    'create index history_place_day on history_place (thread_at, thread)',
  ],
}
