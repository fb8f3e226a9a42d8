import { contextFor, type Reactor } from '@prosa/kernel/reactors/reactor'
import type { ContactHandlers } from './handlers.ts'

const name = 'tick-on-line-news'

/** What WhatsApp says of our messages becomes ticks in the conversation. */
export const tickOnLineNews = ({ chats }: ContactHandlers): Reactor => ({
  name,
  categories: ['line'],
  key: ({ stream, data }) => ('contactId' in data && data.contactId) || stream,
  on: {
    async MessageDispatched(event) {
      const { contactId, messageId } = event.data
      await chats(contactId, { type: 'MarkSent', data: { messageId } }, contextFor(name, event))
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
