import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { beginning, type EventStore } from '@prosa/kernel/event-store/port'
import type { ConnectionHandler } from '../handlers.ts'

const name = 'remove-on-user-erased'

/** Reads the whole log: this happens rarely. */
const connectionsOf = async (store: EventStore, owner: string): Promise<Set<string>> => {
  const found = new Set<string>()
  for await (const { events } of store.readAll(beginning, { categories: ['connection'] }))
    for (const { type, stream, metadata } of events)
      if (type === 'ConnectionAdded' && metadata.owner === owner) found.add(parseStream(stream).id)
  return found
}

export const removeOnUserErased = (store: EventStore, connections: ConnectionHandler): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const owner = parseStream(event.stream).id
      const context = { ...contextFor(name, event), owner }
      for (const connectionId of await connectionsOf(store, owner))
        await connections(connectionId, { type: 'RemoveConnection', data: {} }, context)
    },
  },
})
