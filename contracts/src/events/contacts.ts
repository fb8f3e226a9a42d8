import { z } from 'zod'
import {
  connectionId,
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
import { holiday, openWeek } from '../values/opening-hours.ts'
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
  /** WhatsApp reported another address of the same person. */
  ContactIdentified: z.object({ phone: personalPhone, lid: personalLid }),
  /** The person's own name on WhatsApp became known or different. */
  ContactNamed: z.object({ name: personal(z.string(), erasedText) }),
  /** An attendant gave the person the name that the business knows them by, which wins over their own; null takes it back. */
  ContactRenamed: z.object({ name: personal(z.string().nullable(), erasedText) }),
  /** An attendant wrote something about the person down, for the business alone: it is never sent. */
  ContactNoteWritten: z.object({ noteId: contactNoteId, text: personal(z.string(), erasedText), attendantId: userId }),
  /** An attendant deleted a note. */
  ContactNoteRemoved: z.object({ noteId: contactNoteId }),
  /** An attendant put a label on the contact, or a contact that was merged into it had one. */
  ContactLabelled: z.object({ labelId }),
  /** An attendant took a label off the contact. A label that is deleted is taken off nobody: it is shown no more. */
  ContactUnlabelled: z.object({ labelId }),
  /** An attendant took the contact out of the waiting queue. */
  ConversationAccepted: z.object({ attendantId: userId }),
  /** The attendant finished the conversation. */
  ConversationResolved: z.object({ attendantId: userId }),
  /** A resolved contact wrote again: the conversation waits once more. */
  ConversationReopened: z.object({}),
  /** An attendant took a resolved conversation up again, or took the finishing of it back: they attend it. */
  ConversationResumed: z.object({ attendantId: userId }),
  /**
   * An attendant chose over which connection answers leave from now on, until the person writes to another one. `lastReceivedAt` is
   * when the person had written last, by WhatsApp's clock: what they wrote later counts more than the choice, however the clocks
   * differ. Null: never.
   */
  LineChosen: z.object({ connectionId, attendantId: userId, chosenAt: instant, lastReceivedAt: instant.nullable() }),
  /** Flows started or spoke so often with the contact that it may be a robot: they pause, and the conversation waits for a person. */
  RobotSuspected: z.object({
    /** Whether too many flows started or too many messages were sent; how many, and within how long. */
    reason: z.enum(['starts', 'messages']),
    count: z.int().nonnegative(),
    withinSeconds: z.int().positive(),
  }),
  /** An attendant said that the contact is no robot; or flows go on for another reason, which no attendant named: then it is null. */
  RobotSuspicionCleared: z.object({ attendantId: userId.nullable() }),
  /** Two contacts turned out to be one person: this one goes on for both, and `absorbed` is hidden behind it. */
  ContactMerged: z.object({ absorbed: contactId }),
  /** This contact turned out to be the same person as another, which goes on for both. */
  ContactAbsorbed: z.object({ into: contactId }),
  /** An attendant took a merge back: `restored` is somebody else after all. */
  ContactSeparated: z.object({ restored: contactId }),
  /** A merge was taken back: this contact stands for itself again. */
  ContactRestored: z.object({ from: contactId }),
  /**
   * WhatsApp reported the contact's number with the LID of another account, which has the number since: it may be another
   * person's.
   */
  ContactNumberPassedOn: z.object({ to: contactId }),
  /** The contact has a number that was another contact's until then. */
  ContactNumberTakenOver: z.object({ from: contactId }),
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
  /** Its contact was merged into this one, or a merge was taken back. */
  ContactKeyMoved: z.object({ contactId }),
  /** The contact that held it was erased: whoever writes from there next is a new contact. */
  ContactKeyReleased: z.object({ contactId }),
}

/** Stream `chat-<contactId>`: every message and every tick. */
export const chatEvents = {
  /** The contact wrote. */
  MessageReceived: z.object({
    messageId: whatsappMessageId,
    connectionId,
    content: personalContent,
    sentAt: instant,
    /** When the line received it, where `sentAt` is later than that, as by a wrong clock. Absent otherwise. */
    receivedAt: instant.optional(),
  }),
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
    /** It had failed, and keeps its place. Absent from what was tried again before 22 November 2026. */
    isRetry: z.boolean().optional(),
    /**
     * Nobody wrote it: a rule of the business sent it, whose account `attendantId` is then. So nobody has seen what came before it.
     * Absent from what an attendant wrote.
     */
    automatic: z.enum(['out_of_hours', 'flow']).optional(),
    /** Which step of which run of a flow wants it said. Absent from everything else. */
    flow: z.object({ flowId: id, version: z.int().positive(), runId: id, nodeId: z.string() }).optional(),
    /** How long the contact is shown that somebody writes before it goes. Absent: not at all. */
    typingSeconds: z.int().positive().optional(),
    /** It does not go out, as the plan or the line allow nothing: `MessageFailed` follows at once and says why. Absent otherwise. */
    isRefused: z.literal(true).optional(),
    /** What is tried again was refused before, so that it goes out, and counts, for the first time. Absent otherwise. */
    wasRefused: z.literal(true).optional(),
  }),
  /** WhatsApp's server took the message: one tick. */
  MessageSent: z.object({ messageId: whatsappMessageId }),
  /** The contact's device has it: two ticks. */
  MessageDelivered: z.object({ messageId: whatsappMessageId }),
  /** The contact read it: two blue ticks. */
  MessageRead: z.object({ messageId: whatsappMessageId }),
  /** It will not reach the contact; code is WhatsApp's or ours. */
  MessageFailed: z.object({ messageId: whatsappMessageId, code: z.string() }),
  /** The writer edited the message; its former words stay in the log. */
  MessageEdited: z.object({
    messageId: whatsappMessageId,
    content: personalContent,
    editedAt: instant,
    /** The edit of an attendant that WhatsApp's server took. Absent from what was edited on a phone. */
    correctionId: whatsappMessageId.optional(),
  }),
  /** The writer took the message back; its words stay in the log. */
  MessageDeleted: z.object({
    messageId: whatsappMessageId,
    by: z.enum(['contact', 'user']),
    deletedAt: instant,
    /** The deletion of an attendant that WhatsApp's server took. Absent from what was deleted on a phone. */
    correctionId: whatsappMessageId.optional(),
  }),
  /** An attendant edited a message of the own side: the edit will go out with this id over the message's connection. */
  EditQueued: z.object({
    editId: whatsappMessageId,
    messageId: whatsappMessageId,
    connectionId,
    toJid: personal(z.string(), erasedText),
    content: personalContent,
    editedAt: instant,
    /** WhatsApp takes it no more after that; null when the message itself was still to be sent. */
    until: instant.nullable(),
    attendantId: userId,
  }),
  /** An attendant took a message of the own side back for everyone: the deletion will go out with this id. */
  DeletionQueued: z.object({
    deletionId: whatsappMessageId,
    messageId: whatsappMessageId,
    connectionId,
    toJid: personal(z.string(), erasedText),
    deletedAt: instant,
    until: instant.nullable(),
    attendantId: userId,
  }),
  /** An edit or deletion of an attendant will not reach the contact, who sees the message as it was; code is WhatsApp's or ours. */
  CorrectionFailed: z.object({ correctionId: whatsappMessageId, messageId: whatsappMessageId, code: z.string() }),
  /** Somebody reacted to a message, or changed or took back (`emoji` null) the reaction. */
  MessageReacted: z.object({
    messageId: whatsappMessageId,
    by: z.enum(['contact', 'user']),
    emoji: personal(z.string().nullable(), null),
    reactedAt: instant,
  }),
  /** An attendant reacted: the reaction will go out with this id over this connection; `emoji` null takes it back. */
  ReactionQueued: z.object({
    /** The id of the reaction itself, by which WhatsApp acknowledges it. */
    reactionId: whatsappMessageId,
    messageId: whatsappMessageId,
    /** Whether the message that is reacted to is the own side's. */
    toOwn: z.boolean(),
    connectionId,
    toJid: personal(z.string(), erasedText),
    emoji: personal(z.string().nullable(), null),
    attendantId: userId,
  }),
  /** It will not reach the contact; code is WhatsApp's or ours. `emoji` is the own side's reaction that stands without it. */
  ReactionFailed: z.object({
    reactionId: whatsappMessageId,
    messageId: whatsappMessageId,
    code: z.string(),
    emoji: personal(z.string().nullable(), null),
  }),
  /** An attendant opened the chat and has seen everything up to here. */
  ChatSeen: z.object({ attendantId: userId }),
  /** The contact was erased: the chat takes no message any more. */
  ChatErased: z.object({}),
}

/**
 * Stream `quickReply-<userId>`: the texts that attendants of one subscriber call up by their shortcuts. All of them stand in one
 * stream, so that a shortcut is given once without a lock.
 */
export const quickReplyEvents = {
  /** A subscriber wrote it down. */
  QuickReplyAdded: z.object({
    quickReplyId,
    shortcut: personal(z.string(), erasedText),
    content: personal(z.string(), erasedText),
    isActive: z.boolean(),
  }),
  /** A subscriber changed its shortcut, its content, or whether it is offered. */
  QuickReplyChanged: z.object({
    quickReplyId,
    shortcut: personal(z.string(), erasedText),
    content: personal(z.string(), erasedText),
    isActive: z.boolean(),
  }),
  /** A subscriber deleted it. */
  QuickReplyRemoved: z.object({ quickReplyId }),
}

/** Stream `openingHours-<userId>`: when a business attends, and what it answers when it does not. */
export const openingHoursEvents = {
  /** A subscriber set the hours of the week, the holidays and the time zone, all of them at once. */
  OpeningHoursSet: z.object({
    /** IANA's name. */
    timeZone: z.string(),
    week: openWeek,
    holidays: personal(z.array(holiday), []),
  }),
  /** A subscriber wrote what is answered out of hours. */
  OutOfHoursReplyWritten: z.object({ text: personal(z.string(), erasedText) }),
  /** From now on contacts that wait are answered out of hours. */
  OutOfHoursReplyTurnedOn: z.object({}),
  /** A subscriber turned it off, or the account was erased. */
  OutOfHoursReplyTurnedOff: z.object({}),
}

/**
 * Stream `label-<userId>`: the labels that attendants of one subscriber put on contacts. All of them stand in one stream, so that a
 * name is given once without a lock.
 */
export const labelEvents = {
  /** A subscriber made it. */
  LabelCreated: z.object({ labelId, name: personal(z.string(), erasedText), colour: z.enum(labelColours) }),
  /** A subscriber gave it another name, on all contacts that have it. */
  LabelRenamed: z.object({ labelId, name: personal(z.string(), erasedText) }),
  /** A subscriber gave it another colour of the palette. */
  LabelRecoloured: z.object({ labelId, colour: z.enum(labelColours) }),
  /** A subscriber deleted it: no contact shows it any more, without an event of each. */
  LabelDeleted: z.object({ labelId }),
}
