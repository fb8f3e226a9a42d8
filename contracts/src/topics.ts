import { z } from 'zod'
import { connectionId, contactId, id, userId } from './values/ids.ts'
import { phone } from './values/phone.ts'

const presence = z.enum(['available', 'unavailable', 'typing', 'recording', 'paused'])
const typing = z.enum(['typing', 'recording', 'paused'])

/** Not stored: lost if nobody listens. */
export const topics = {
  /** Realtime → contacts: a browser opened a chat. */
  'contact.opened': z.object({ tenant: userId, contactId }),
  /** Realtime → contacts. */
  'contact.typing': z.object({ tenant: userId, contactId, state: typing }),
  /** Contacts → sessions: WhatsApp addresses to observe. */
  'presence.wanted': z.object({ tenant: userId, contactId, jids: z.array(z.string()) }),
  /** Contacts → sessions: shows typing over the reply connection. */
  'presence.requested': z.object({
    tenant: userId,
    contactId,
    connectionId: connectionId.nullable(),
    toJid: z.string(),
    state: typing,
  }),
  /** Sessions → realtime. */
  'presence.received': z.object({ tenant: userId, contactId, state: presence }),
  /** Contacts → sessions: any open line asks WhatsApp. */
  'number.asked': z.object({ tenant: userId, requestId: id, phone }),
  /** Sessions → contacts: may lack the ninth digit. */
  'number.answered': z.object({
    requestId: id,
    exists: z.boolean(),
    phone: phone.nullable(),
    lid: z.string().nullable(),
  }),
  /** Sessions → contacts: lookup limit of this process's open lines. */
  'number.postponed': z.object({ requestId: id, retryAfterSeconds: z.number().int().positive() }),
} as const

export type Topic = keyof typeof topics
export type TopicPayload<T extends Topic> = z.infer<(typeof topics)[T]>
