import type { Connection, QuickSession, WhatsappSession } from './http/connections.ts'

/** What administrators look at: the lists whose rows changed. */
export type AdminArea = 'users' | 'transactions' | 'plans' | 'webhook' | 'operations' | 'support'

export type ContactPresence = 'available' | 'unavailable' | 'typing' | 'recording' | 'paused'

/**
 * Socket.IO at path `/socket.io`, authenticated by the browser session's cookie. The server joins the sockets of a
 * subscriber to `owner:<userId>`, those of administrators to `admin` for as long as they have the role, and, on `contact:open`, to `contact:<id>` when the contact is the subscriber's own.
 * `position` is a token as in the header `prosa-position`. Pushes are hints that the read models now show something new; whoever reconnects reads again. They carry no words of anybody: a browser reads
 * what it shows, merged, so that a flood of pushes costs one reading after another (`web/src/lib/merged-readings.ts`).
 */
export interface ServerToClient {
  /** A message arrived, or one of ours was queued, sent, delivered, read or failed. */
  'whatsapp:new_message': (push: { contactId: string; position: string }) => void
  /**
   * A contact came, was accepted, resolved, reopened, renamed, labelled or seen, a note about it was written or removed, or an attendant chose
   * over which number it is answered.
   */
  'whatsapp:contact_update': (push: { contactId: string; position: string }) => void
  /** Flows paused with a contact that may be a robot: its conversation waits for a person. */
  'whatsapp:robot_suspected': (push: { contactId: string; position: string }) => void
  /** All connections of the subscriber; sent once after connecting. */
  'whatsapp:connections': (connections: Connection[]) => void
  /** One connection as it is now: replace it by id, or append it. */
  'whatsapp:connection_update': (connection: Connection) => void
  'whatsapp:connection_removed': (push: { connectionId: string }) => void
  /** The connections as quick sessions, whenever one of them changed; under both names of the specification. */
  'whatsapp:sessions': (sessions: QuickSession[]) => void
  'wppconnect:sessions': (sessions: QuickSession[]) => void
  /** One session as the sessions screen shows it. */
  session_status_update: (session: Omit<WhatsappSession, 'name'>) => void
  /** What a contact in view is doing now; never stored. */
  'whatsapp:presence': (push: { contactId: string; state: ContactPresence }) => void
  /** A quick reply was added, changed or removed. */
  'quick_replies:update': (push: { position: string }) => void
  /** A label was made, changed or deleted. */
  'labels:update': (push: { position: string }) => void
  /** A flow or a folder of flows was made, changed, published or deleted, or another flow greets new contacts. */
  'flows:update': (push: { position: string }) => void
  /** What is known of the company, or its opening hours with their answer, changed. */
  'settings:update': (push: { position: string }) => void
  /** What the account may use, or until when, changed: something was paid, given or taken away, or it ended. */
  'account:update': (push: { position: string }) => void
  /** To administrators only: something in this area changed, of whichever tenant; which, is read and not pushed. */
  'admin:update': (push: { area: AdminArea; position: string }) => void
  /** The file of a message arrived, or cannot be had. */
  'whatsapp:media_update': (push: { contactId: string; mediaId: string; position: string }) => void
  /** Everything up to this position has been pushed to this browser: where to resume after the connection was lost. */
  told: (push: { position: string }) => void
  /**
   * Sent once after connecting, when what was missed since `auth: { position }` of the handshake has been pushed again; the
   * position is the last one that `told` or `resumed` named. `complete: false`: none was named, or it is too long ago. Then
   * everything that is shown must be read again. Sent so once more when rows of the subscriber that stood still are shown
   * again.
   */
  resumed: (push: { position: string; complete: boolean }) => void
}

export interface ClientToServer {
  /** The chat in view; `acknowledge(true)` when the room was joined, false when the contact is not the subscriber's. */
  'contact:open': (contactId: string, acknowledge: (joined: boolean) => void) => void
  'contact:close': (contactId: string) => void
  /** The attendant is writing to, or recording for, or has stopped (`paused`), the contact in view. */
  'contact:typing': (contactId: string, state: 'typing' | 'recording' | 'paused') => void
}
