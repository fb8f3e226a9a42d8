import type { Connection } from './http/connections.ts'

/**
 * Socket.IO at path `/socket.io`, authenticated by the browser session's cookie. The server joins the sockets of a
 * subscriber to `owner:<userId>` and, on `contact:open`, to `contact:<id>` when the contact is the subscriber's own.
 * Pushes are hints that the read models now show something new; whoever reconnects reads again.
 */
export interface ServerToClient {
  /** A message arrived, or one of ours was queued, sent, delivered, read or failed. */
  'whatsapp:new_message': (push: { contactId: string; position: string }) => void
  /** A contact came, was accepted, resolved, reopened, renamed or seen. */
  'whatsapp:contact_update': (push: { contactId: string; position: string }) => void
  /** All connections of the subscriber; sent once after connecting. */
  'whatsapp:connections': (connections: Connection[]) => void
  /** One connection as it is now: replace it by id, or append it. */
  'whatsapp:connection_update': (connection: Connection) => void
  'whatsapp:connection_removed': (push: { connectionId: string }) => void
}

export interface ClientToServer {
  /** The chat in view; `acknowledge(true)` when the room was joined, false when the contact is not the subscriber's. */
  'contact:open': (contactId: string, acknowledge: (joined: boolean) => void) => void
  'contact:close': (contactId: string) => void
}
