import type { EventOf } from '@prosa/contracts/events/all-events'
import type { lineEvents } from '@prosa/contracts/events/sessions'
import type { Instant } from '@prosa/contracts/values/instant'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Decider } from '@prosa/kernel/decider'
import { emptyRecentMap, type RecentMap, recentGet, recentSet } from './recent-map.ts'

export type LineEvent = EventOf<typeof lineEvents>
type DataOf<T extends LineEvent['type']> = Extract<LineEvent, { type: T }>['data']

export type ArrivedMessage = DataOf<'MessageArrived'>
export type DeliveryStatus = DataOf<'DeliveryReported'>['status']

/** What reached a line from somebody else, or from the phone beside it. */
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

/** Code of a message that was given the id of one to another contact, and therefore never went out. */
export const messageIdTaken = 'message_id_taken'

type Fate = 'failed' | 'dispatched' | DeliveryStatus

export interface LineState {
  /**
   * Messages, edits, deletions and reactions, for WhatsApp gives each an id of its own: by side and id, the chats in which there
   * was one, joined by spaces.
   */
  arrived: RecentMap<string>
  /** Addresses of the people with whom there were messages on this line, and when the latest was written. */
  partners: RecentMap<Instant>
  /** How far each message of ours has got, by its id. */
  sent: RecentMap<Fate>
}

/**
 * How much of each kind a line surely remembers: what arrived, and each step that a message of ours went. WhatsApp
 * repeats only what was not confirmed, so a repetition of something older than that does not come.
 */
const remembered = 50_000

const steps: Record<Fate, number> = { failed: 0, dispatched: 1, delivered: 2, read: 3, played: 4 }

type Place = Pick<ArrivedMessage, 'chatJid' | 'fromMe'>

const arrivalKey = (fromMe: boolean, id: string) => `${fromMe ? '>' : '<'} ${id}`

const chatsWith = ({ arrived }: LineState, fromMe: boolean, id: string): string[] =>
  recentGet(arrived, arrivalKey(fromMe, id))?.split(' ') ?? []

/**
 * The chat in which somebody else's message with this id, or with `fromMe` one of the own phone's, arrived last;
 * undefined when none is remembered, or was erased.
 */
export const chatOf = (state: LineState, messageId: string, fromMe = false): string | undefined =>
  chatsWith(state, fromMe, messageId).findLast((chatJid) => chatJid !== erasedText)

/** The id under which WhatsApp repeats it when it has to. */
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

const isKnown = (state: LineState, { chatJid, fromMe }: Place, id: string) => {
  const chats = chatsWith(state, fromMe, id)
  // Of what was erased the id is left: told again, it must not come back.
  return chats.includes(chatJid) || chats.includes(erasedText)
}

const withArrival = (state: LineState, { chatJid, fromMe }: Place, id: string): LineState => {
  const chats = [...chatsWith(state, fromMe, id), chatJid].join(' ')
  return { ...state, arrived: recentSet(state.arrived, arrivalKey(fromMe, id), chats, remembered) }
}

/** Whether a message in this chat is the own side's, sent through Prosa or on the phone. */
export const wrote = (state: LineState, chatJid: string, messageId: string): boolean =>
  recentGet(state.sent, messageId) !== undefined || chatsWith(state, true, messageId).includes(chatJid)

/** Whether the message is surely not by the one who claims to change it. One that is long forgotten might be. */
const isOfTheOther = (state: LineState, { chatJid, fromMe, messageId }: Place & { messageId: string }) =>
  fromMe ? chatsWith(state, false, messageId).includes(chatJid) : wrote(state, chatJid, messageId)

/** Whether there were messages with this address; with `since` none that were written before count. */
export const isPartner = ({ partners }: LineState, jid: string, since?: Instant): boolean => {
  const latest = recentGet(partners, jid)
  return latest !== undefined && (since === undefined || latest >= since)
}

const withPartner = (partners: LineState['partners'], jid: string, sentAt: Instant) => {
  const latest = recentGet(partners, jid)
  return recentSet(partners, jid, latest !== undefined && latest > sentAt ? latest : sentAt, remembered)
}

const withFate = (state: LineState, messageId: string, fate: Fate): LineState => ({
  ...state,
  sent: recentSet(state.sent, messageId, fate, remembered),
})

/** What the WhatsApp network said on one line, each thing once and statuses only forwards. */
export const line: Decider<LineCommand, LineEvent, LineState, 'connection_not_found'> = {
  initial: { arrived: emptyRecentMap(), partners: emptyRecentMap(), sent: emptyRecentMap() },
  decide: {
    RecordArrival: (state, data) => {
      if (isKnown(state, data, data.messageId)) return []
      // The echo of what went out through Prosa is no message that was written elsewhere.
      if (data.fromMe && recentGet(state.sent, data.messageId)) return []
      return [{ type: 'MessageArrived', data }]
    },
    RecordEdit: (state, data) => {
      if (isKnown(state, data, data.editId) || isOfTheOther(state, data)) return []
      return [{ type: 'EditArrived', data }]
    },
    RecordDeletion: (state, data) => {
      if (isKnown(state, data, data.deletionId) || isOfTheOther(state, data)) return []
      return [{ type: 'DeletionArrived', data }]
    },
    RecordReaction: (state, data) => {
      if (isKnown(state, data, data.reactionId)) return []
      if (data.fromMe && recentGet(state.sent, data.reactionId)) return []
      return [{ type: 'ReactionArrived', data }]
    },
    RecordDispatched: ({ sent }, { messageId, contactId }) => {
      const fate = recentGet(sent, messageId)
      if (fate && fate !== 'failed') return []
      return [{ type: 'MessageDispatched', data: { messageId, contactId } }]
    },
    RecordDelivery: ({ sent }, { messageId, contactId, status }) => {
      const fate = recentGet(sent, messageId) ?? 'failed'
      if (steps[fate] >= steps[status]) return []
      const delivery: LineEvent = { type: 'DeliveryReported', data: { messageId, contactId, status } }
      // A receipt that overtakes the server's acknowledgement proves that the message went out.
      return fate === 'failed' ? [{ type: 'MessageDispatched', data: { messageId, contactId } }, delivery] : [delivery]
    },
    RecordFailure: ({ sent }, failure) => {
      // What is known of the id is about the other message.
      if (failure.code === messageIdTaken) return [{ type: 'DispatchFailed', data: failure }]
      const fate = recentGet(sent, failure.messageId)
      // One that failed may have been tried again, and failed again.
      if (fate && fate !== 'failed') return []
      return [{ type: 'DispatchFailed', data: failure }]
    },
  },
  evolve: {
    MessageArrived: (state, message) => ({
      ...withArrival(state, message, message.messageId),
      partners: [message.chatJid, message.alternateJid].reduce(
        (partners, jid) => (jid === null ? partners : withPartner(partners, jid, message.sentAt)),
        state.partners,
      ),
    }),
    EditArrived: (state, edit) => withArrival(state, edit, edit.editId),
    DeletionArrived: (state, deletion) => withArrival(state, deletion, deletion.deletionId),
    ReactionArrived: (state, reaction) => withArrival(state, reaction, reaction.reactionId),
    MessageDispatched: (state, { messageId }) => withFate(state, messageId, 'dispatched'),
    DeliveryReported: (state, { messageId, status }) => withFate(state, messageId, status),
    DispatchFailed: (state, { messageId, code }) =>
      code === messageIdTaken ? state : withFate(state, messageId, 'failed'),
  },
}
