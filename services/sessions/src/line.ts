import type { EventOf } from '@prosa/contracts/events/all-events'
import type { lineEvents } from '@prosa/contracts/events/sessions'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Decider } from '@prosa/kernel/decider'
import { emptyRecentMap, type RecentMap, recentGet, recentSet } from './recent-map.ts'

export type LineEvent = EventOf<typeof lineEvents>
type DataOf<T extends LineEvent['type']> = Extract<LineEvent, { type: T }>['data']

export type ArrivedMessage = DataOf<'MessageArrived'>
export type DeliveryStatus = DataOf<'DeliveryReported'>['status']

export type LineCommand =
  | { type: 'RecordArrival'; data: ArrivedMessage }
  | { type: 'RecordDispatched'; data: DataOf<'MessageDispatched'> }
  | { type: 'RecordDelivery'; data: DataOf<'DeliveryReported'> }
  | { type: 'RecordFailure'; data: DataOf<'DispatchFailed'> }

type Fate = 'failed' | 'dispatched' | DeliveryStatus

export interface LineState {
  arrived: RecentMap<true>
  /** How far each message of ours has got, by its id. */
  sent: RecentMap<Fate>
}

/**
 * How many messages of each kind a line surely remembers. WhatsApp repeats only what was not confirmed, so a repetition
 * that is older than this many messages does not come.
 */
const remembered = 50_000

const steps: Record<Fate, number> = { failed: 0, dispatched: 1, delivered: 2, read: 3, played: 4 }

const arrivalKey = ({ chatJid, messageId, fromMe }: Pick<ArrivedMessage, 'chatJid' | 'messageId' | 'fromMe'>) =>
  `${fromMe ? '>' : '<'} ${chatJid} ${messageId}`

const withFate = (state: LineState, messageId: string, fate: Fate): LineState => ({
  ...state,
  sent: recentSet(state.sent, messageId, fate, remembered),
})

/** What the WhatsApp network said on one line, each thing once and statuses only forwards. */
export const line: Decider<LineCommand, LineEvent, LineState, 'connection_not_found'> = {
  initial: { arrived: emptyRecentMap(), sent: emptyRecentMap() },
  decide: {
    RecordArrival: ({ arrived, sent }, message) => {
      if (recentGet(arrived, arrivalKey(message))) return []
      // Of what was erased the id is left: told again, it must not come back.
      if (recentGet(arrived, arrivalKey({ ...message, chatJid: erasedText }))) return []
      // The echo of what went out through Prosa is no message that was written elsewhere.
      if (message.fromMe && recentGet(sent, message.messageId)) return []
      return [{ type: 'MessageArrived', data: message }]
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
      const fate = recentGet(sent, failure.messageId)
      // One that failed may have been tried again, and failed again.
      if (fate && fate !== 'failed') return []
      return [{ type: 'DispatchFailed', data: failure }]
    },
  },
  evolve: {
    MessageArrived: (state, message) => ({
      ...state,
      arrived: recentSet(state.arrived, arrivalKey(message), true, remembered),
    }),
    MessageDispatched: (state, { messageId }) => withFate(state, messageId, 'dispatched'),
    DeliveryReported: (state, { messageId, status }) => withFate(state, messageId, status),
    DispatchFailed: (state, { messageId }) => withFate(state, messageId, 'failed'),
  },
}
