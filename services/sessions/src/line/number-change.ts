import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { fold } from '@prosa/kernel/domain/decider'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { type ConnectionEvent, connection } from '../domain/connection.ts'

export interface NumberChange {
  position: Position
  at: Instant
}

/** null for a connection with one number so far. */
export const latestNumberChange = async (
  { store, codec }: Pick<Ports, 'store' | 'codec'>,
  connectionId: string,
): Promise<NumberChange | null> => {
  let state = connection.initial
  let change: NumberChange | null = null
  for await (const page of store.read(streamName('connection', connectionId)))
    for (const event of (await codec.decode(page)) as Stored<ConnectionEvent>[]) {
      const { numbers } = state
      state = fold(connection, state, [event])
      if (numbers > 0 && state.numbers > numbers) change = { position: event.position, at: event.metadata.recordedAt }
    }
  return change
}
