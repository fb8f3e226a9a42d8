import { renamedReactors } from '@prosa/contracts/stored-names'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { ContactHandlers } from '../handlers.ts'
import type { ChatCommand } from './chat.ts'
import { correctionOf } from './chat-state.ts'
import { eventAt } from './quote.ts'

const name = renamedReactors['tick-on-delivery-reported']

/** Undefined if no such correction is pending. */
const correctionTaken = async (
  { chats, ...log }: Pick<ContactHandlers, 'chats' | 'store' | 'codec'>,
  tenant: string | null,
  chatId: string,
  correctionId: string,
): Promise<ChatCommand | undefined> => {
  const chat = await chats.load(chatId, tenant, (state) => correctionOf(state, correctionId))
  const correction = correctionOf(chat, correctionId)
  if (!correction?.isOpen) return undefined
  const { type, data } = await eventAt(log, chatId, correction.revision)
  if (type === 'EditQueued') {
    const { messageId, content, editedAt } = data
    return { type: 'EditMessage', data: { messageId, by: 'user', content, editedAt, correctionId } }
  }
  if (type !== 'DeletionQueued') throw new Error('a correction is not at the revision that its chat names')
  const { messageId, deletedAt } = data
  return { type: 'DeleteMessage', data: { messageId, by: 'user', deletedAt, correctionId } }
}

/** Records delivery reports and applies accepted corrections. */
export const tickOnDeliveryReported = ({ chats, ...handlers }: ContactHandlers): Reactor => ({
  name,
  categories: ['line'],
  key: ({ stream, data }) => ('contactId' in data && data.contactId) || stream,
  on: {
    async MessageDispatched(event) {
      const { contactId, messageId } = event.data
      const taken = await correctionTaken({ chats, ...handlers }, event.metadata.tenant, contactId, messageId)
      await chats(contactId, taken ?? { type: 'MarkSent', data: { messageId } }, contextFor(name, event))
    },
    async DeliveryReported(event) {
      const { contactId, messageId, status } = event.data
      const type = status === 'delivered' ? 'MarkDelivered' : 'MarkRead'
      await chats(contactId, { type, data: { messageId } }, contextFor(name, event))
    },
    async DispatchFailed(event) {
      const { contactId, messageId, code } = event.data
      await chats(contactId, { type: 'MarkFailed', data: { messageId, code } }, contextFor(name, event))
    },
  },
})
