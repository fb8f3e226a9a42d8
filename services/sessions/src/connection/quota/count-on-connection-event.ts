import type { EventType } from '@prosa/contracts/events/all-events'
import { renamedReactors } from '@prosa/contracts/stored-names'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { ConnectionQuota } from './connection-quota.ts'

const whenNotLinking = [
  'ConnectionAdded',
  'LinkingExpired',
  'NumberLinked',
  'ConnectionReplaced',
  'ConnectionRefused',
  'NumberUnlinked',
  'ConnectionDisconnected',
] as const satisfies readonly EventType[]

/** Corrects the counts by the log: facts of lines and of other processes. */
export const countOnConnectionEvent = (quota: ConnectionQuota): Reactor => {
  const save = async ({ stream, position, metadata: { tenant } }: Stored, linkingUntil: Instant | null) => {
    if (tenant) await quota.save({ connectionId: parseStream(stream).id, tenant, linkingUntil, position })
  }
  return {
    name: renamedReactors['count-on-connection-event'],
    categories: ['connection'],
    key: ({ stream }) => stream,
    on: {
      ...Object.fromEntries(whenNotLinking.map((type) => [type, (event: Stored) => save(event, null)])),
      LinkingStarted: (event) => save(event, event.data.until),
      ConnectionRemoved: ({ stream }) => quota.forget(parseStream(stream).id),
    },
  }
}
