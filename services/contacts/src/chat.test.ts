import { decide, fold } from '@prosa/kernel/decider'
import { specify } from '@prosa/kernel/testing/specify'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChatCommand, type ChatEvent, chat } from './chat.ts'

const given = specify(chat)
const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const connectionId = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
const content = { kind: 'text', text: 'Vocês abrem domingo?' } as const
const arrival = { messageId: 'A1', connectionId, content, sentAt: '2026-11-21T12:00:00.000Z' }
const outgoing = { messageId: 'B1', connectionId, toJid: '1637@lid', content, attendantId }
const received: ChatEvent = { type: 'MessageReceived', data: arrival }
const queued: ChatEvent = { type: 'MessageQueued', data: outgoing }
const about = { messageId: 'B1' }

describe('a chat', () => {
  it('keeps a message once, however often WhatsApp delivers it', () => {
    given().when({ type: 'ReceiveMessage', data: arrival }).then(received)
    given(received).when({ type: 'ReceiveMessage', data: arrival }).thenNothing()
  })
  it('queues a message once, however often the request is repeated', () => {
    given().when({ type: 'QueueMessage', data: outgoing }).then(queued)
    given(queued).when({ type: 'QueueMessage', data: outgoing }).thenNothing()
  })
  it('queues a message again that failed, under the same id', () => {
    const failed: ChatEvent = { type: 'MessageFailed', data: { ...about, code: '463' } }
    given(queued, failed).when({ type: 'QueueMessage', data: outgoing }).then(queued)
    given(queued, failed, queued).when({ type: 'QueueMessage', data: outgoing }).thenNothing()
  })
  it('does not take the echo of its own message for a new one', () =>
    given(queued)
      .when({ type: 'RecordMessageSentElsewhere', data: { ...arrival, messageId: 'B1' } })
      .thenNothing())
  it('moves ticks forward', () => {
    given(queued).when({ type: 'MarkSent', data: about }).then({ type: 'MessageSent', data: about })
    given(queued, { type: 'MessageSent', data: about })
      .when({ type: 'MarkDelivered', data: about })
      .then({ type: 'MessageDelivered', data: about })
  })
  it('never moves a tick back when receipts overtake each other', () => {
    given(queued, { type: 'MessageRead', data: about }).when({ type: 'MarkDelivered', data: about }).thenNothing()
    given(queued, { type: 'MessageDelivered', data: about }).when({ type: 'MarkSent', data: about }).thenNothing()
  })
  it('does not call a message failed that somebody has received', () =>
    given(queued, { type: 'MessageDelivered', data: about })
      .when({ type: 'MarkFailed', data: { ...about, code: '463' } })
      .thenNothing())
  it('lets a message that was called failed still arrive', () =>
    given(queued, { type: 'MessageFailed', data: { ...about, code: 'timeout' } })
      .when({ type: 'MarkDelivered', data: about })
      .then({ type: 'MessageDelivered', data: about }))
  it('ignores ticks of messages that it does not know', () =>
    given().when({ type: 'MarkRead', data: about }).thenNothing())
  it('is seen once for all that is unread', () => {
    const see = { type: 'MarkSeen', data: { attendantId } } as const
    given(received).when(see).then({ type: 'ChatSeen', data: { attendantId } })
    given(received, { type: 'ChatSeen', data: { attendantId } }).when(see).thenNothing()
    given(received, queued).when(see).thenNothing()
  })

  it('gives every message one tick of each kind at most, in order, whatever is told in whatever order', () => {
    const ids = fc.constantFrom('B1', 'B2')
    const command: fc.Arbitrary<ChatCommand> = fc.oneof(
      ids.map((messageId) => ({ type: 'QueueMessage' as const, data: { ...outgoing, messageId } })),
      fc
        .tuple(ids, fc.constantFrom('MarkSent' as const, 'MarkDelivered' as const, 'MarkRead' as const))
        .map(([messageId, type]) => ({ type, data: { messageId } })),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const events: ChatEvent[] = []
        let state = chat.initial
        for (const each of commands) {
          const decided = decide(chat, state, each)
          if ('rejected' in decided) throw new Error('a chat rejects nothing')
          events.push(...decided)
          state = fold(chat, state, decided)
        }
        const order = ['MessageQueued', 'MessageSent', 'MessageDelivered', 'MessageRead']
        for (const id of ['B1', 'B2']) {
          const steps = events.filter(({ data }) => 'messageId' in data && data.messageId === id)
          const ranks = steps.map(({ type }) => order.indexOf(type))
          expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b))
          if (ranks.length > 0) expect(ranks[0]).toBe(0)
        }
      }),
    )
  })
})

describe('the chat of an erased contact', () => {
  const erased: ChatEvent = { type: 'ChatErased', data: {} }

  it('is closed once, also when nothing was ever said', () => {
    given(received).when({ type: 'EraseChat', data: {} }).then(erased)
    given().when({ type: 'EraseChat', data: {} }).then(erased)
    given(received, erased).when({ type: 'EraseChat', data: {} }).thenNothing()
  })
  it('takes no message any more, from either side', () => {
    given(erased).when({ type: 'ReceiveMessage', data: arrival }).thenRejected('contact_not_found')
    given(erased).when({ type: 'RecordMessageSentElsewhere', data: arrival }).thenRejected('contact_not_found')
    given(erased).when({ type: 'QueueMessage', data: outgoing }).thenRejected('contact_not_found')
  })
  it('has no ticks left', () => {
    given(queued, erased).when({ type: 'MarkRead', data: about }).thenNothing()
    given(received, erased).when({ type: 'MarkSeen', data: { attendantId } }).thenNothing()
  })
})
