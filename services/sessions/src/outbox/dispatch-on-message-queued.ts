import { randomBytes } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { messageIdTaken } from '../domain/line.ts'
import type { LineHandler } from '../handlers.ts'
import type { Outbox } from './outbox.ts'
import type { OutgoingWork } from './outgoing-work.ts'
import type { ReadMarks } from './read-marks.ts'

const name = 'dispatch-on-message-queued'
const secretBytes = 32

type Addressed = Extract<AnyEvent, { type: 'MessageQueued' | 'ReactionQueued' | 'EditQueued' | 'DeletionQueued' }>

/** One reactor also removes an erased contact's messages, so that none follows the erasure. */
export const dispatchOnMessageQueued = (outbox: Outbox, lines: LineHandler, marks: ReadMarks): Reactor => {
  const queue = async (event: Stored<Addressed>, messageId: string, work: OutgoingWork, isRetry = false) => {
    const { connectionId, toJid } = event.data
    const { tenant, correlationId } = event.metadata
    if (!tenant) throw new Error('a chat without a tenant')
    // Erased before this event was handled.
    if (toJid === erasedText) return
    const contactId = parseStream(event.stream).id
    const fail = async (code: string) => {
      await lines(
        connectionId,
        { type: 'RecordFailure', data: { messageId, contactId, code } },
        contextFor(name, event),
      )
    }
    if (work.kind === 'message' && work.content.kind === 'unsupported') return fail('unsupported_content')
    const { id: eventId, position } = event
    const message = {
      connectionId,
      messageId,
      contactId,
      tenant,
      toJid,
      work,
      position,
      eventId,
      correlationId,
      isRetry,
    }
    if (!(await outbox.add(message))) await fail(messageIdTaken)
  }

  return {
    name,
    categories: ['chat'],
    key: ({ stream }) => stream,
    on: {
      async MessageQueued(event) {
        const { messageId, content, isRetry, typingSeconds, isRefused } = event.data
        if (isRefused) return
        const secret = randomBytes(secretBytes).toString('base64')
        await queue(event, messageId, { kind: 'message', content, secret, typingSeconds }, isRetry)
        await marks.seen(event)
      },
      async MessageReceived(event) {
        marks.received(event)
      },
      ChatSeen: marks.seen,
      ReactionQueued: (event) => {
        const { reactionId, messageId, toOwn, emoji } = event.data
        const target = { messageId, isOwn: toOwn }
        return queue(event, reactionId, { kind: 'reaction', target, emoji, at: event.metadata.recordedAt })
      },
      EditQueued: (event) => {
        const { editId, messageId, content, editedAt, until } = event.data
        return queue(event, editId, { kind: 'edit', messageId, content, at: editedAt, until })
      },
      DeletionQueued: (event) => {
        const { deletionId, messageId, until } = event.data
        return queue(event, deletionId, { kind: 'deletion', messageId, until })
      },
      async ChatErased({ stream }) {
        marks.forget(stream)
        await outbox.forgetContact(parseStream(stream).id)
      },
    },
  }
}
