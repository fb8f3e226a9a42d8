import type { EventStore, NewEvent, Position } from '../port.ts'

export interface OpenedEventStore {
  store: EventStore
  /** The log holds events that the contract did not write, such as the server's own: it is never quite empty. */
  hasOthersEvents?: boolean
  /** A second instance on the same log, where the adapter can. */
  another?: () => Promise<EventStore>
  /** Ends what `store` and `another` hold and removes the log. */
  close(): Promise<void>
}

/** What the parts of the contract share: one log for all tests, opened before the first. */
export interface UnderTest {
  readonly store: EventStore
  /** How many appends a live subscriber is shown: a multiple of 1,000. */
  readonly appends: number
  /** An empty log of its own. */
  open(): Promise<OpenedEventStore>
  /** A second instance on the shared log until the end of the test; undefined where the adapter has none. */
  another(): Promise<EventStore | undefined>
  /** Creates streams, and answers with the position of the last event. */
  stored(...appends: [stream: string, ...events: NewEvent[]][]): Promise<Position>
}
