import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { findRecord, recordKey, recordOf } from '../records.ts'

/** Parent of a record, perhaps known later than the record. */
export interface LinkRow {
  /** `delivery:<id>` */
  record: string
  /** `order:<id>`; null while unknown. */
  parent: string | null
  /** Shown to the buyer. */
  reference: string | null
}

const linkTable: Table<LinkRow> = {
  name: 'history_link',
  key: 'record',
  columns: {
    record: 'text collate "C"',
    parent: 'text collate "C"',
    reference: 'text collate "C"',
  },
  after: [
    'create index history_link_parent on history_link (parent) where parent is not null',
    'create index history_link_reference on history_link (lower(reference)) where reference is not null',
  ],
}

const key = ({ stream }: Stored): string => {
  const { kind, id } = recordOf(stream)
  return recordKey(kind, id)
}

const belongsTo = (row: LinkRow | undefined, event: Stored, parent: string | null): LinkRow => ({
  record: key(event),
  reference: null,
  ...row,
  parent,
})

const ofAccount = {
  key,
  row: (row: LinkRow | undefined, event: Stored & { data: { userId: string } }): LinkRow =>
    belongsTo(row, event, recordKey('user', event.data.userId)),
}

const ofFolder = {
  key,
  row: (row: LinkRow | undefined, event: Stored & { data: { folderId: string | null } }): LinkRow => {
    const { folderId } = event.data
    return belongsTo(row, event, folderId === null ? null : recordKey('folder', folderId))
  },
}

export const historyLinks: Projection<LinkRow> = {
  name: 'history-links',
  version: 1,
  categories: ['webhookDelivery', 'order', 'kiwifySubscription', 'entitlement', 'parkedWork', 'flow'],
  table: linkTable,
  on: {
    DeliveryApplied: {
      key,
      row: (row, event) => belongsTo(row, event, recordKey('order', event.data.orderId)),
    },
    OrderReported: {
      key,
      row: (row, { stream, data: { orderRef } }) => ({
        record: recordKey('order', parseStream(stream).id),
        parent: row?.parent ?? null,
        reference: row?.reference ?? orderRef,
      }),
    },
    // A delivery shows its parked work.
    WorkParked: {
      key,
      row: (row, event) => {
        const about = event.data.stream === undefined ? undefined : findRecord(event.data.stream)
        return about ? belongsTo(row, event, recordKey(about.kind, about.id)) : row
      },
    },
    OrderAssigned: ofAccount,
    SubscriberRemembered: ofAccount,
    EntitlementClaimed: ofAccount,
    FlowCreated: ofFolder,
    FlowMoved: ofFolder,
  },
}
