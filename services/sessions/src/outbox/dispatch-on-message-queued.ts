import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/reactors/reactor'
import type { LineHandler } from '../handlers.ts'
import type { Outbox } from './outbox.ts'

const name = 'dispatch-on-message-queued'

/** What an attendant wrote gets in line for its connection, which may live in another process. */
export const dispatchOnMessageQueued = (outbox: Outbox, lines: LineHandler): Reactor => ({
  name,
  categories: ['chat'],
  key: (event) => (event.type === 'MessageQueued' ? event.data.connectionId : event.stream),
  on: {
    async MessageQueued(event) {
      const { connectionId, messageId, toJid, content } = event.data
      const { owner, correlationId } = event.metadata
      if (!owner) throw new Error('a chat without an owner')
      const contactId = parseStream(event.stream).id
      if (content.kind !== 'text') {
        const data = { messageId, contactId, code: 'unsupported_content' }
        await lines(connectionId, { type: 'RecordFailure', data }, contextFor(name, event))
        return
      }
      const { text } = content
      const { id: eventId, position } = event
      await outbox.add({ connectionId, messageId, contactId, owner, toJid, text, position, eventId, correlationId })
    },
  },
})
