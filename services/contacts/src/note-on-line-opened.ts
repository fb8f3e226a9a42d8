import type { EventType } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Reactor } from '@prosa/kernel/reactors/reactor'
import type { Pool } from 'pg'
import { dropLine, keepLine } from './queries.ts'

const whenDown = [
  'LineDropped',
  'ConnectionReplaced',
  'ConnectionRefused',
  'NumberUnlinked',
  'ConnectionDisconnected',
  'ConnectionRemoved',
] as const satisfies readonly EventType[]

/** Keeps in mind which subscriber has a line up, so that nobody waits for an answer that no line can give. */
export const noteOnLineOpened = (pool: Pool): Reactor => {
  const drop = async ({ stream }: Stored) => dropLine(pool, parseStream(stream).id)
  return {
    name: 'note-on-line-opened',
    categories: ['connection'],
    key: ({ stream }) => stream,
    on: {
      ...Object.fromEntries(whenDown.map((type) => [type, drop])),
      async LineOpened({ stream, metadata }) {
        if (metadata.owner) await keepLine(pool, parseStream(stream).id, metadata.owner)
      },
    },
  }
}
