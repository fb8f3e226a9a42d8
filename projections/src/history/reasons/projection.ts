import type { EventType } from '@prosa/contracts/events/all-events'
import { deliverySubject, orderSubject, userSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Projection, PurgeHandler, RowHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { subjectOfReason } from '@prosa/kernel/privacy/encrypted-reason'
import { indexedText } from '../../word-index.ts'
import { timelineCategories, timelineEvents } from '../records.ts'
import { type ReasonRow, reasonTable } from './table.ts'

const subjectIn = ({ type, stream, metadata: { tenant, actor } }: Stored) =>
  subjectOfReason({ type, stream, tenant, actorId: actor.id })

const noted: RowHandler<ReasonRow, Stored> = {
  key: ({ id }) => id,
  row: (_, event) => {
    const { id, position, metadata } = event
    if (metadata.reason === undefined || metadata.reason === erasedText) return undefined
    return { id, place: position, subject: subjectIn(event), words: indexedText([metadata.reason]) }
  },
}

const idOf = ({ stream }: Stored) => parseStream(stream).id
const purge = (subjectOf: (id: string) => string): PurgeHandler<ReasonRow, Stored> => ({
  purge: { column: 'subject', value: (event) => subjectOf(idOf(event)) },
})

/** Reasons by their words: an erasure deletes the rows whose key it destroys. */
export const historyReasons: Projection<ReasonRow> = {
  name: 'history-reasons',
  version: 1,
  categories: timelineCategories,
  table: reasonTable,
  on: {
    ...Object.fromEntries(Object.keys(timelineEvents).map((type) => [type as EventType, noted])),
    UserErased: [noted, purge(userSubject)],
    OrderBuyerErased: [noted, purge(orderSubject)],
    DeliveryExpired: [noted, purge(deliverySubject)],
  },
}
