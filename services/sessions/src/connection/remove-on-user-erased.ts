import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { ConnectionHandler } from '../handlers.ts'
import type { ConnectionNames } from './names/connection-names.ts'

const name = 'remove-on-user-erased'

export const removeOnUserErased = (
  { ofTenant }: Pick<ConnectionNames, 'ofTenant'>,
  connections: ConnectionHandler,
): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const tenant = parseStream(event.stream).id
      const context = { ...contextFor(name, event), tenant }
      for (const connectionId of await ofTenant(tenant, event.position))
        await connections(connectionId, { type: 'RemoveConnection', data: {} }, context)
    },
  },
})
