import type { Connection, QuickSession, WhatsappSession } from './http/connections.ts'

export type AdminArea = 'users' | 'transactions' | 'plans' | 'webhook' | 'operations' | 'support'

export type ContactPresence = 'available' | 'unavailable' | 'typing' | 'recording' | 'paused'

/**
 * Socket.IO at `/socket.io`, by session cookie. Rooms: `owner:<userId>`, `admin` (while the role lasts), `contact:<id>` (after
 * `contact:open`). `position`: as in `prosa-position`. Pushes are hints without texts: browsers read again, merged
 * (`web/src/lib/realtime/merged-readings.ts`).
 */
export interface ServerToClient {
  /** A message arrived or changed status. */
  'whatsapp:new_message': (push: { contactId: string; position: string }) => void
  /** Any shown field changed. */
  'whatsapp:contact_update': (push: { contactId: string; position: string }) => void
  'whatsapp:robot_suspected': (push: { contactId: string; position: string }) => void
  /** A flow transferred it to a person. */
  'whatsapp:person_asked': (push: { contactId: string; position: string }) => void
  /** Sent after connecting. */
  'whatsapp:connections': (connections: Connection[]) => void
  /** Replace by id, or append. */
  'whatsapp:connection_update': (connection: Connection) => void
  'whatsapp:connection_removed': (push: { connectionId: string }) => void
  /** On any change, under both names of the specification. */
  'whatsapp:sessions': (sessions: QuickSession[]) => void
  'wppconnect:sessions': (sessions: QuickSession[]) => void
  session_status_update: (session: Omit<WhatsappSession, 'name'>) => void
  /** Never stored. */
  'whatsapp:presence': (push: { contactId: string; state: ContactPresence }) => void
  'quick_replies:update': (push: { position: string }) => void
  'labels:update': (push: { position: string }) => void
  /** Flow, folder or default flow. */
  'flows:update': (push: { position: string }) => void
  /** Company, opening hours or out-of-hours reply. */
  'settings:update': (push: { position: string }) => void
  'account:update': (push: { position: string }) => void
  /** Names no tenant. */
  'admin:update': (push: { area: AdminArea; position: string }) => void
  'whatsapp:media_update': (push: { contactId: string; mediaId: string; position: string }) => void
  /** Resume from here. */
  position: (push: { position: string }) => void
  /**
   * Everything since the handshake's `auth: { position }` was pushed again. `complete: false`: unknown or too old, so read everything. Also
   * sent when parked rows continue.
   */
  resumed: (push: { position: string; complete: boolean }) => void
}

export interface ClientToServer {
  /** False: not the tenant's contact. */
  'contact:open': (contactId: string, acknowledge: (joined: boolean) => void) => void
  'contact:close': (contactId: string) => void
  /** `paused`: stopped. */
  'contact:typing': (contactId: string, state: 'typing' | 'recording' | 'paused') => void
}
