import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from './test-log.ts'

const connectionId = idOf('line')
const attendantId = idOf('ana')
const content = (words: string) => ({ kind: 'text', text: words }) as const

/** One of everything that a contact's streams can hold, about this message. */
export const happenings = (messageId: string): AnyEvent[] => [
  { type: 'ContactAdded', data: { name: 'Zé', phone: '5511988776655', lid: null, origin: 'message' } },
  { type: 'ContactNamed', data: { name: `Zé ${messageId}` } },
  { type: 'ConversationAccepted', data: { attendantId } },
  { type: 'ConversationResolved', data: { attendantId } },
  { type: 'ConversationReopened', data: {} },
  { type: 'MessageReceived', data: { messageId, connectionId, content: content(`oi ${messageId}`), sentAt: at(1) } },
  { type: 'MessageQueued', data: { messageId, connectionId, toJid: '1@lid', content: content('olá'), attendantId } },
  { type: 'MessageSent', data: { messageId } },
  { type: 'MessageDelivered', data: { messageId } },
  { type: 'MessageRead', data: { messageId } },
  { type: 'MessageFailed', data: { messageId, code: '463' } },
  { type: 'ChatSeen', data: { attendantId } },
  { type: 'ContactErased', data: {} },
  { type: 'ChatErased', data: {} },
]

/** The stream in which the contacts service keeps such an event of a contact. */
export const streamOf = (contactId: string, { type }: AnyEvent): string =>
  type.startsWith('Message') || type.startsWith('Chat') ? `chat-${contactId}` : `contact-${contactId}`
