import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/reactors/reactor'
import type { ConnectionNames } from './connection-names.ts'

/** Keeps the names by which quick sessions are found up with the log. */
export const rememberConnectionNames = (names: ConnectionNames): Reactor => ({
  name: 'remember-connection-names',
  categories: ['connection'],
  key: ({ stream }) => stream,
  on: {
    async ConnectionAdded({ stream, data: { name }, metadata: { owner }, position }) {
      if (owner) await names.remember({ connectionId: parseStream(stream).id, owner, name, position })
    },
    ConnectionRemoved: ({ stream }) => names.forget(parseStream(stream).id),
  },
})
