import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/reactors/reactor'
import type { LineHandler } from '../handlers.ts'
import type { Outbox } from './outbox.ts'

const name = 'dispatch-on-message-queued'

/**
 * What an attendant wrote gets in line for its connection, which may live in another process. An erased contact's messages
 * leave the line by the same reactor, so that none of them gets in behind its back.
 */
export const dispatchOnMessageQueued = (outbox: Outbox, lines: LineHandler): Reactor => ({
  name,
  categories: ['chat'],
  key: ({ stream }) => stream,
  on: {
    async MessageQueued(event) {
      const { connectionId, messageId, toJid, content } = event.data
      const { owner, correlationId } = event.metadata
      if (!owner) throw new Error('a chat without an owner')
      // The contact was erased before this got in line.
      if (toJid === erasedText) return
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
    ChatErased: ({ stream }) => outbox.forgetContact(parseStream(stream).id),
  },
})
