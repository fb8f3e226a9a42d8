import type { EventType } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection, RowHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { accountOf, groupOf, partOf, recordKeyOf, timelineCategories, timelineEvents } from '../records.ts'
import { type TimelineRow, timelineTable } from './table.ts'

/** Later effects start a new thread. */
const threadMs = 3_600_000

const isOfThread = (cause: TimelineRow | undefined, { metadata }: Stored): cause is TimelineRow =>
  cause !== undefined && Date.parse(metadata.recordedAt) - Date.parse(cause.threadAt) < threadMs

const threadOf = (event: Stored, cause: TimelineRow | undefined) =>
  isOfThread(cause, event)
    ? { thread: cause.thread, threadAt: cause.threadAt, depth: cause.depth + 1 }
    : { thread: event.position, threadAt: event.metadata.recordedAt, depth: 0 }

const placed: RowHandler<TimelineRow, Stored> = {
  key: ({ id }) => id,
  makes: true,
  beside: ({ metadata }) => metadata.causationId,
  row: (_, event, cause) => {
    const { id, stream, revision, position, type, metadata } = event
    return {
      id,
      place: position,
      stream,
      revision: Number(revision),
      type,
      record: recordKeyOf(event),
      groupName: groupOf(event),
      account: accountOf(event),
      actorKind: metadata.actor.kind,
      actorId: metadata.actor.id,
      correlationId: metadata.correlationId,
      causationId: metadata.causationId,
      recordedAt: metadata.recordedAt,
      ...threadOf(event, cause),
      tenant: metadata.tenant,
      category: parseStream(stream).category,
      part: partOf(event),
    }
  },
}

/** No personal data: survives erasure. */
export const historyTimeline: Projection<TimelineRow> = {
  name: 'history-places',
  version: 5,
  categories: timelineCategories,
  table: timelineTable,
  on: Object.fromEntries(Object.keys(timelineEvents).map((type) => [type as EventType, placed])),
}
