import { z } from 'zod'
import { flowId } from '../flows/flow-document.ts'
import { answerTypes } from '../values/answers/answer-type.ts'
import {
  connectionId,
  contactFieldId,
  contactId,
  contactNoteId,
  id,
  labelId,
  quickReplyId,
  userId,
  whatsappMessageId,
} from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { labelColours } from '../values/label-colour.ts'
import { messageContent } from '../values/message-content.ts'
import { erasedContent, erasedText, personal } from '../values/personal.ts'
import { phone } from '../values/phone.ts'
import { holiday, openWeek } from '../values/time/opening-hours.ts'

const personalPhone = personal(phone.nullable(), null)
const personalLid = personal(z.string().nullable(), null)
const personalContent = personal(messageContent, erasedContent)

/** Stream `contact-<id>`. */
export const contactEvents = {
  /** A person wrote or an attendant added the number: the conversation waits. If the own side wrote first (`phone`), it is resolved. */
  ContactAdded: z.object({
    phone: personalPhone,
    lid: personalLid,
    name: personal(z.string().nullable(), erasedText),
    origin: z.enum(['message', 'attendant', 'phone']),
  }),
  /** WhatsApp reported another address of the same person. */
  ContactIdentified: z.object({ phone: personalPhone, lid: personalLid }),
  /** The person's WhatsApp name changed. */
  ContactNamed: z.object({ name: personal(z.string(), erasedText) }),
  /** An attendant set another name; null resets it. */
  ContactRenamed: z.object({ name: personal(z.string().nullable(), erasedText) }),
  /** An attendant wrote an internal note. */
  ContactNoteWritten: z.object({ noteId: contactNoteId, text: personal(z.string(), erasedText), attendantId: userId }),
  /** An attendant deleted a note. */
  ContactNoteRemoved: z.object({ noteId: contactNoteId }),
  /** An attendant labelled it, or a merged contact had the label. */
  ContactLabelled: z.object({ labelId }),
  /** An attendant removed a label (a deleted label records nothing). */
  ContactUnlabelled: z.object({ labelId }),
  /** An attendant or a flow set one of the tenant's own fields, or a merged contact had it; null empties it. */
  ContactFieldSet: z.object({
    fieldId: contactFieldId,
    type: z.enum(answerTypes),
    /** As the type stores it. */
    value: personal(z.string().nullable(), erasedText),
  }),
  /** An attendant took it out of the waiting queue. */
  ConversationAccepted: z.object({ attendantId: userId }),
  /** The attendant finished the conversation, or (`flowId`) a flow of the account `attendantId`. */
  ConversationResolved: z.object({ attendantId: userId, flowId: flowId.optional() }),
  /** A resolved contact wrote: the conversation waits. */
  ConversationReopened: z.object({}),
  /** An attendant reopened and attends it. */
  ConversationResumed: z.object({ attendantId: userId }),
  /**
   * An attendant chose the reply connection until the person writes to another one. Messages count as later by WhatsApp's clock
   * (`lastReceivedAt`), whatever ours shows.
   */
  LineChosen: z.object({ connectionId, attendantId: userId, chosenAt: instant, lastReceivedAt: instant.nullable() }),
  /** Flows exceeded a limit: they pause, and the conversation waits for a person. */
  RobotSuspected: z.object({
    /** Exceeded limit, with count and window. */
    reason: z.enum(['starts', 'messages']),
    count: z.int().nonnegative(),
    withinSeconds: z.int().positive(),
  }),
  /** An attendant cleared it; null: flows resumed for another reason. */
  RobotSuspicionCleared: z.object({ attendantId: userId.nullable() }),
  /** Two contacts are one person: this one continues and hides `absorbed`. */
  ContactMerged: z.object({ absorbed: contactId }),
  /** `into` is the same person and continues for both. */
  ContactAbsorbed: z.object({ into: contactId }),
  /** An attendant undid a merge: `restored` is another person. */
  ContactSeparated: z.object({ restored: contactId }),
  /** A merge was undone: this contact is separate again. */
  ContactRestored: z.object({ from: contactId }),
  /** WhatsApp reported its number with another LID, perhaps another person's. */
  ContactNumberPassedOn: z.object({ to: contactId }),
  /** It got a number of another contact. */
  ContactNumberTakenOver: z.object({ from: contactId }),
  /** Personal data was erased (metadata: actor, time). Keys are destroyed after this. Last event of the stream. */
  ContactErased: z.object({}),
}

/** Stream `contactKey-<tenant>:<hmac>`: one phone or LID of a tenant belongs to one contact. */
export const contactKeyEvents = {
  /** It was assigned to a contact. */
  ContactKeyClaimed: z.object({ contactId }),
  /** Its contact was merged, or a merge undone. */
  ContactKeyMoved: z.object({ contactId }),
  /** Its contact was erased: the next message creates a contact. */
  ContactKeyReleased: z.object({ contactId }),
}

/** Stream `chat-<contactId>`: messages and their status. */
export const chatEvents = {
  /** The contact wrote. */
  MessageReceived: z.object({
    messageId: whatsappMessageId,
    connectionId,
    content: personalContent,
    sentAt: instant,
    /** Present if `sentAt` is later (wrong clock). */
    receivedAt: instant.optional(),
  }),
  /** The own side wrote outside Prosa. */
  MessageSentElsewhere: z.object({
    messageId: whatsappMessageId,
    connectionId,
    content: personalContent,
    sentAt: instant,
  }),
  /** An attendant wrote or retried: it will be sent with this id over this connection. */
  MessageQueued: z.object({
    messageId: whatsappMessageId,
    connectionId,
    /** `…@lid` or `…@s.whatsapp.net`. */
    toJid: personal(z.string(), erasedText),
    content: personalContent,
    attendantId: userId,
    /** Retry of a failed message; keeps its position. Absent before 2026-11-22. */
    isRetry: z.boolean().optional(),
    /** A rule, or the tenant's program with a key, sent it for `attendantId`, so earlier messages are unseen. Absent when an attendant wrote. */
    automatic: z.enum(['out_of_hours', 'flow', 'program']).optional(),
    flow: z.object({ flowId: id, version: z.int().positive(), runId: id, nodeId: z.string() }).optional(),
    /** Typing indicator before sending. */
    typingSeconds: z.int().positive().optional(),
    /** Plan or line forbid sending: `MessageFailed` follows. */
    isRefused: z.literal(true).optional(),
    /** The retried message was refused, so this is its first sending and counts. */
    wasRefused: z.literal(true).optional(),
  }),
  /** WhatsApp accepted it: one tick. */
  MessageSent: z.object({ messageId: whatsappMessageId }),
  /** The device received it: two ticks. */
  MessageDelivered: z.object({ messageId: whatsappMessageId }),
  /** The contact read it: two blue ticks. */
  MessageRead: z.object({ messageId: whatsappMessageId }),
  /** It will not arrive. `code` is WhatsApp's or ours. */
  MessageFailed: z.object({ messageId: whatsappMessageId, code: z.string() }),
  /** The author edited it; the former text stays in the log. */
  MessageEdited: z.object({
    messageId: whatsappMessageId,
    content: personalContent,
    editedAt: instant,
    /** Absent when edited on a phone. */
    correctionId: whatsappMessageId.optional(),
  }),
  /** The author deleted it; its text stays in the log. */
  MessageDeleted: z.object({
    messageId: whatsappMessageId,
    by: z.enum(['contact', 'user']),
    deletedAt: instant,
    /** Absent when deleted on a phone. */
    correctionId: whatsappMessageId.optional(),
  }),
  /** An attendant edited it: the edit will be sent with this id over its connection. */
  EditQueued: z.object({
    editId: whatsappMessageId,
    messageId: whatsappMessageId,
    connectionId,
    toJid: personal(z.string(), erasedText),
    content: personalContent,
    editedAt: instant,
    /** WhatsApp refuses it later; null while the message is unsent. */
    until: instant.nullable(),
    attendantId: userId,
  }),
  /** An attendant deleted it for everyone: the deletion will be sent with this id. */
  DeletionQueued: z.object({
    deletionId: whatsappMessageId,
    messageId: whatsappMessageId,
    connectionId,
    toJid: personal(z.string(), erasedText),
    deletedAt: instant,
    until: instant.nullable(),
    attendantId: userId,
  }),
  /** The correction will not arrive. `code` is WhatsApp's or ours. */
  CorrectionFailed: z.object({ correctionId: whatsappMessageId, messageId: whatsappMessageId, code: z.string() }),
  /** Somebody reacted; `emoji` null removes the reaction. */
  MessageReacted: z.object({
    messageId: whatsappMessageId,
    by: z.enum(['contact', 'user']),
    emoji: personal(z.string().nullable(), null),
    reactedAt: instant,
  }),
  /** An attendant reacted: it will be sent with this id over this connection; null removes it. */
  ReactionQueued: z.object({
    /** For WhatsApp's acknowledgement. */
    reactionId: whatsappMessageId,
    messageId: whatsappMessageId,
    toOwn: z.boolean(),
    connectionId,
    toJid: personal(z.string(), erasedText),
    emoji: personal(z.string().nullable(), null),
    attendantId: userId,
  }),
  /** It will not arrive. `code` is WhatsApp's or ours; `emoji` is the remaining reaction. */
  ReactionFailed: z.object({
    reactionId: whatsappMessageId,
    messageId: whatsappMessageId,
    code: z.string(),
    emoji: personal(z.string().nullable(), null),
  }),
  /** An attendant opened the chat: everything so far is seen. */
  ChatSeen: z.object({ attendantId: userId }),
  /** The contact was erased: no more messages. */
  ChatErased: z.object({}),
}

/** Stream `quickReply-<userId>`: all of a tenant, so shortcuts are unique without a mutex. */
export const quickReplyEvents = {
  /** A user added it. */
  QuickReplyAdded: z.object({
    quickReplyId,
    shortcut: personal(z.string(), erasedText),
    content: personal(z.string(), erasedText),
    isActive: z.boolean(),
  }),
  /** A user changed shortcut, content or enabled state. */
  QuickReplyChanged: z.object({
    quickReplyId,
    shortcut: personal(z.string(), erasedText),
    content: personal(z.string(), erasedText),
    isActive: z.boolean(),
  }),
  /** A user deleted it. */
  QuickReplyRemoved: z.object({ quickReplyId }),
}

/** Stream `openingHours-<userId>`. */
export const openingHoursEvents = {
  /** A user set week, holidays and time zone together. */
  OpeningHoursSet: z.object({
    /** IANA name. */
    timeZone: z.string(),
    week: openWeek,
    holidays: personal(z.array(holiday), []),
  }),
  /** A user wrote the out-of-hours reply. */
  OutOfHoursReplyWritten: z.object({ text: personal(z.string(), erasedText) }),
  /** The out-of-hours reply was enabled. */
  OutOfHoursReplyTurnedOn: z.object({}),
  /** A user disabled it, or the account was erased. */
  OutOfHoursReplyTurnedOff: z.object({}),
}

/** Stream `label-<userId>`: all of a tenant, so names are unique without a mutex. */
export const labelEvents = {
  /** A user created it. */
  LabelCreated: z.object({ labelId, name: personal(z.string(), erasedText), colour: z.enum(labelColours) }),
  /** A user renamed it. */
  LabelRenamed: z.object({ labelId, name: personal(z.string(), erasedText) }),
  /** A user changed its colour. */
  LabelRecoloured: z.object({ labelId, colour: z.enum(labelColours) }),
  /** A user deleted it, without an event per contact. */
  LabelDeleted: z.object({ labelId }),
}

/** Stream `contactField-<userId>`: own fields that contacts of the tenant have. */
export const contactFieldEvents = {
  /** A user created it. Texts name it by `variable`, which stays. */
  ContactFieldCreated: z.object({
    fieldId: contactFieldId,
    name: personal(z.string(), erasedText),
    variable: personal(z.string(), erasedText),
    type: z.enum(answerTypes),
  }),
  /** A user renamed it. */
  ContactFieldRenamed: z.object({ fieldId: contactFieldId, name: personal(z.string(), erasedText) }),
  /** A user deleted it, without an event per contact. */
  ContactFieldDeleted: z.object({ fieldId: contactFieldId }),
}
