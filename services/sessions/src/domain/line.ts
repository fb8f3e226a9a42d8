import type { EventOf } from '@prosa/contracts/events/all-events'
import type { lineEvents } from '@prosa/contracts/events/sessions'
import { userSubject } from '@prosa/contracts/events/subjects'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Decider } from '@prosa/kernel/domain/decider'
import { noEntries } from '@prosa/kernel/domain/snapshots/entries'
import {
  arrivalKey,
  fateOf,
  isKnown,
  isOfTheOther,
  type LineState,
  partnerKey,
  sentKey,
  steps,
  withArrival,
  withFate,
  withPartner,
} from './line-state.ts'

export type LineEvent = EventOf<typeof lineEvents>
type DataOf<T extends LineEvent['type']> = Extract<LineEvent, { type: T }>['data']

export type ArrivedMessage = DataOf<'MessageArrived'>
export type DeliveryStatus = DataOf<'DeliveryReported'>['status']

export type Arrival =
  | { type: 'RecordArrival'; data: ArrivedMessage }
  | { type: 'RecordEdit'; data: DataOf<'EditArrived'> }
  | { type: 'RecordDeletion'; data: DataOf<'DeletionArrived'> }
  | { type: 'RecordReaction'; data: DataOf<'ReactionArrived'> }

export type LineCommand =
  | Arrival
  | { type: 'RecordDispatched'; data: DataOf<'MessageDispatched'> }
  | { type: 'RecordDelivery'; data: DataOf<'DeliveryReported'> }
  | { type: 'RecordFailure'; data: DataOf<'DispatchFailed'> }

/** The message got the id of one to another contact, so it was never sent. */
export const messageIdTaken = 'message_id_taken'

export const arrivalId = (arrival: Arrival): string => {
  switch (arrival.type) {
    case 'RecordArrival':
      return arrival.data.messageId
    case 'RecordEdit':
      return arrival.data.editId
    case 'RecordDeletion':
      return arrival.data.deletionId
    case 'RecordReaction':
      return arrival.data.reactionId
  }
}

/** Except keys of an id that came in two chats. */
const keysOf = ({ data }: { data: unknown }): string[] => {
  const { messageId, editId, deletionId, reactionId, chatJid, alternateJid } = data as Partial<Record<string, string>>
  const ids = [messageId, editId, deletionId, reactionId].filter((id) => id !== undefined)
  const isArrival = chatJid !== undefined
  return [
    ...ids.map(sentKey),
    ...(isArrival ? ids.flatMap((id) => [arrivalKey(false, id), arrivalKey(true, id)]) : []),
    ...[chatJid, alternateJid].flatMap((jid) => (jid ? [partnerKey(jid)] : [])),
  ]
}

/** Each fact once, statuses only forwards. */
export const line: Decider<LineCommand, LineEvent, LineState, 'connection_not_found'> = {
  initial: { entries: noEntries },
  saving: {
    decider: 'line',
    version: 1,
    subject: ({ tenant }) => userSubject(tenant),
    entries: {
      keysOf,
      personal: (key, chatJid) =>
        /^[<>]/.test(key) && typeof chatJid === 'string' && chatJid !== erasedText
          ? { address: chatJid, erased: erasedText }
          : undefined,
      isKeyPersonal: (key) => /^[@~]/.test(key),
    },
  },
  decide: {
    RecordArrival: (state, data) => {
      if (isKnown(state, data, data.messageId)) return []
      // The echo of a message that Prosa sent is no arrival.
      if (data.fromMe && fateOf(state, data.messageId)) return []
      return [{ type: 'MessageArrived', data }]
    },
    RecordEdit: (state, data) => {
      if (isKnown(state, data, data.editId) || isOfTheOther(state, data)) return []
      if (data.fromMe && fateOf(state, data.editId)) return []
      return [{ type: 'EditArrived', data }]
    },
    RecordDeletion: (state, data) => {
      if (isKnown(state, data, data.deletionId) || isOfTheOther(state, data)) return []
      if (data.fromMe && fateOf(state, data.deletionId)) return []
      return [{ type: 'DeletionArrived', data }]
    },
    RecordReaction: (state, data) => {
      if (isKnown(state, data, data.reactionId)) return []
      if (data.fromMe && fateOf(state, data.reactionId)) return []
      return [{ type: 'ReactionArrived', data }]
    },
    RecordDispatched: (state, { messageId, contactId }) => {
      const fate = fateOf(state, messageId)
      if (fate && fate !== 'failed') return []
      return [{ type: 'MessageDispatched', data: { messageId, contactId } }]
    },
    RecordDelivery: (state, { messageId, contactId, status }) => {
      const fate = fateOf(state, messageId) ?? 'failed'
      if (steps[fate] >= steps[status]) return []
      const delivery: LineEvent = { type: 'DeliveryReported', data: { messageId, contactId, status } }
      // A receipt that overtakes the server's acknowledgement proves dispatch.
      return fate === 'failed' ? [{ type: 'MessageDispatched', data: { messageId, contactId } }, delivery] : [delivery]
    },
    RecordFailure: (state, failure) => {
      if (failure.code === messageIdTaken) return [{ type: 'DispatchFailed', data: failure }]
      const fate = fateOf(state, failure.messageId)
      // A retry may fail again.
      if (fate && fate !== 'failed') return []
      return [{ type: 'DispatchFailed', data: failure }]
    },
  },
  evolve: {
    MessageArrived: (state, message) =>
      [message.chatJid, message.alternateJid].reduce(
        (known, jid) => withPartner(known, jid, message.sentAt),
        withArrival(state, message, message.messageId),
      ),
    EditArrived: (state, edit) => withArrival(state, edit, edit.editId),
    DeletionArrived: (state, deletion) => withArrival(state, deletion, deletion.deletionId),
    ReactionArrived: (state, reaction) => withArrival(state, reaction, reaction.reactionId),
    MessageDispatched: (state, { messageId }) => withFate(state, messageId, 'dispatched'),
    DeliveryReported: (state, { messageId, status }) => withFate(state, messageId, status),
    DispatchFailed: (state, { messageId, code }) =>
      code === messageIdTaken ? state : withFate(state, messageId, 'failed'),
  },
}
