import { streamName } from '@prosa/contracts/streams'
import { type CommandHandler, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { EventStore } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import {
  type ConnectionCommand,
  type ConnectionEvent,
  type ConnectionRefusal,
  type ConnectionState,
  connection,
} from './domain/connection.ts'
import { type LineCommand, type LineEvent, line } from './domain/line.ts'
import type { LineState } from './domain/line-state.ts'

export type ConnectionHandler = CommandHandler<ConnectionCommand, ConnectionEvent, ConnectionState, ConnectionRefusal>
export type LineHandler = CommandHandler<LineCommand, LineEvent, LineState, 'connection_not_found'>

export const sessionHandlers = ({
  store,
  codec,
  clock,
  snapshots,
}: Pick<Ports, 'store' | 'codec' | 'clock' | 'snapshots'>): { connections: ConnectionHandler; lines: LineHandler } => {
  const base = { store, codec, clock, snapshots, service: 'sessions', foreign: 'connection_not_found' } as const
  return {
    connections: commandHandler({ ...base, category: 'connection', decider: connection }),
    lines: commandHandler({ ...base, category: 'line', decider: line }),
  }
}

export const tenantOf = async (store: EventStore, connectionId: string): Promise<string | undefined> => {
  for await (const [first] of store.read(streamName('connection', connectionId)))
    if (first) return first.metadata.tenant ?? undefined
  return undefined
}
