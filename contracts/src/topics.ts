import { z } from 'zod'
import { connectionId, contactId, id, userId } from './values/ids.ts'
import { phone } from './values/phone.ts'

const presence = z.enum(['available', 'unavailable', 'typing', 'recording', 'paused'])
const typing = z.enum(['typing', 'recording', 'paused'])

/**
 * Messages between services that are no facts: they are not stored, and a process that does not listen in that moment never
 * receives them. Nothing that must not be lost may travel this way.
 */
export const topics = {
  /** A browser has the chat of its own contact in view: what the person does now is of interest. Realtime → contacts. */
  'contact.opened': z.object({ owner: userId, contactId }),
  /** An attendant is writing, or has stopped. Realtime → contacts. */
  'contact.typing': z.object({ owner: userId, contactId, state: typing }),
  /** Where that person is to be found on WhatsApp. Contacts → sessions. */
  'presence.wanted': z.object({ owner: userId, contactId, jids: z.array(z.string()) }),
  /** The contact is to see that somebody writes. `connectionId`: over which answers leave. Contacts → sessions. */
  'presence.requested': z.object({
    owner: userId,
    contactId,
    connectionId: connectionId.nullable(),
    toJid: z.string(),
    state: typing,
  }),
  /** What a person is doing on WhatsApp. Sessions → realtime. */
  'presence.received': z.object({ owner: userId, contactId, state: presence }),
  /** Who has this number? Any open line of the owner asks WhatsApp. Contacts → sessions. */
  'number.asked': z.object({ owner: userId, requestId: id, phone }),
  /** The answer: the number as WhatsApp knows it, which may lack the ninth digit. Sessions → contacts. */
  'number.answered': z.object({
    requestId: id,
    exists: z.boolean(),
    phone: phone.nullable(),
    lid: z.string().nullable(),
  }),
  /** No open line of the owner in this process may look up another number so soon. Sessions → contacts. */
  'number.postponed': z.object({ requestId: id, retryAfterSeconds: z.number().int().positive() }),
} as const

export type Topic = keyof typeof topics
export type TopicPayload<T extends Topic> = z.infer<(typeof topics)[T]>
