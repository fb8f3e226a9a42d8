import type { EventStore, NewEvent, Position } from '../port.ts'

export interface OpenedEventStore {
  store: EventStore
  /** The log also holds events of others, such as the server's. */
  hasOthersEvents?: boolean
  /** Undefined where the adapter has none. */
  another?: () => Promise<EventStore>
  close(): Promise<void>
}

export interface UnderTest {
  readonly store: EventStore
  /** A multiple of 1,000. */
  readonly appends: number
  open(): Promise<OpenedEventStore>
  another(): Promise<EventStore | undefined>
  stored(...appends: [stream: string, ...events: NewEvent[]][]): Promise<Position>
}
