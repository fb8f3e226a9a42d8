import { z } from 'zod'
import { connectionId, contactId, userId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { messageContent } from '../values/message-content.ts'
import { erasedContent, erasedText, personal } from '../values/personal.ts'
import { phone } from '../values/phone.ts'

const personalPhone = personal(phone.nullable(), null)
const personalLid = personal(z.string().nullable(), null)
const personalContent = personal(messageContent, erasedContent)

/** Stream `contact-<id>`: who somebody is, and whose turn it is. */
export const contactEvents = {
  /**
   * A person wrote for the first time or an attendant added the number: the conversation waits. Or the own side wrote to
   * them on the phone first (`phone`): then nobody waits, and the conversation counts as resolved.
   */
  ContactAdded: z.object({
    phone: personalPhone,
    lid: personalLid,
    name: personal(z.string().nullable(), erasedText),
    origin: z.enum(['message', 'attendant', 'phone']),
  }),
  /** WhatsApp told another address of the same person. */
  ContactIdentified: z.object({ phone: personalPhone, lid: personalLid }),
  /** The person's own name on WhatsApp became known or different. */
  ContactNamed: z.object({ name: personal(z.string(), erasedText) }),
  /** An attendant took the contact out of the waiting queue. */
  ConversationAccepted: z.object({ attendantId: userId }),
  /** The attendant finished the conversation. */
  ConversationResolved: z.object({ attendantId: userId }),
  /** A resolved contact wrote again: the conversation waits once more. */
  ConversationReopened: z.object({}),
  /**
   * Everything personal about the contact was erased at somebody's wish: this is the proof (who asked and when stand in the
   * metadata), the keys are destroyed after it. Nothing follows in this stream.
   */
  ContactErased: z.object({}),
}

/** Stream `contactKey-<owner>:<hmac>`: one phone or LID of one tenant leads to one contact. */
export const contactKeyEvents = {
  /** A phone number or LID was taken for a contact. */
  ContactKeyClaimed: z.object({ contactId }),
  /** The contact that held it was erased: whoever writes from there next is a new contact. */
  ContactKeyReleased: z.object({ contactId }),
}

/** Stream `chat-<contactId>`: every message and every tick. */
export const chatEvents = {
  /** The contact wrote. */
  MessageReceived: z.object({ messageId: whatsappMessageId, connectionId, content: personalContent, sentAt: instant }),
  /** The own side wrote from the phone or another linked device, not through Prosa. */
  MessageSentElsewhere: z.object({
    messageId: whatsappMessageId,
    connectionId,
    content: personalContent,
    sentAt: instant,
  }),
  /** An attendant wrote, or tried again what had failed: the message will go out with this id over this connection. */
  MessageQueued: z.object({
    messageId: whatsappMessageId,
    connectionId,
    /** Where it goes: `…@lid` or `…@s.whatsapp.net`. */
    toJid: personal(z.string(), erasedText),
    content: personalContent,
    attendantId: userId,
  }),
  /** WhatsApp's server took the message: one tick. */
  MessageSent: z.object({ messageId: whatsappMessageId }),
  /** The contact's device has it: two ticks. */
  MessageDelivered: z.object({ messageId: whatsappMessageId }),
  /** The contact read it: two blue ticks. */
  MessageRead: z.object({ messageId: whatsappMessageId }),
  /** It will not reach the contact; code is WhatsApp's or ours. */
  MessageFailed: z.object({ messageId: whatsappMessageId, code: z.string() }),
  /** An attendant opened the chat and has seen everything up to here. */
  ChatSeen: z.object({ attendantId: userId }),
  /** The contact was erased: the chat takes no message any more. */
  ChatErased: z.object({}),
}
