import type { EventType } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { ConnectionPlaces } from './connection-places.ts'

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
export const rememberConnectionPlaces = (places: ConnectionPlaces): Reactor => {
  const keep = async ({ stream, position, metadata: { owner } }: Stored, linkingUntil: Instant | null) => {
    if (owner) await places.keep({ connectionId: parseStream(stream).id, owner, linkingUntil, position })
  }
  return {
    name: 'remember-connection-places',
    categories: ['connection'],
    key: ({ stream }) => stream,
    on: {
      ...Object.fromEntries(whenNotLinking.map((type) => [type, (event: Stored) => keep(event, null)])),
      LinkingStarted: (event) => keep(event, event.data.until),
      ConnectionRemoved: ({ stream }) => places.forget(parseStream(stream).id),
    },
  }
}
