import { decide, fold } from '@prosa/kernel/domain/decider'
import { clearEntries } from '@prosa/kernel/domain/snapshots/entries'
import { specify } from '@prosa/kernel/domain/specify'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChatCommand, chat } from './chat.ts'
import { wordsAt } from './chat-state.ts'
import type { ChatEvent } from './evolve-chat.ts'

const given = specify(chat)
const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const connectionId = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
const content = { kind: 'text', text: 'Vocês abrem domingo?' } as const
const arrival = { messageId: 'A1', connectionId, content, sentAt: '2026-11-21T12:00:00.000Z' }
const outgoing = { messageId: 'B1', connectionId, toJid: '1637@lid', content, attendantId }
const received: ChatEvent = { type: 'MessageReceived', data: arrival }
const queued: ChatEvent = { type: 'MessageQueued', data: outgoing }
const again: ChatEvent = { type: 'MessageQueued', data: { ...outgoing, isRetry: true } }
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
    given(queued, failed).when({ type: 'QueueMessage', data: outgoing }).then(again)
    given(queued, failed, again).when({ type: 'QueueMessage', data: outgoing }).thenNothing()
  })
  it('shows a message that nobody may send as one that failed, once, and an attendant may send it after all', () => {
    const refuse: ChatCommand = {
      type: 'RefuseMessage',
      data: { ...outgoing, automatic: 'flow', code: 'access_ended' },
    }
    const refused: ChatEvent[] = [
      { type: 'MessageQueued', data: { ...outgoing, automatic: 'flow', isRefused: true } },
      { type: 'MessageFailed', data: { ...about, code: 'access_ended' } },
    ]
    given()
      .when(refuse)
      .then(...refused)
    given(...refused)
      .when(refuse)
      .thenNothing()
    given(queued).when(refuse).thenNothing()
    given(...refused)
      .when({ type: 'QueueMessage', data: outgoing })
      .then(again)
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
  it('is seen by whoever answers it, not by what was written before it or is only tried again', () => {
    const see = { type: 'MarkSeen', data: { attendantId } } as const
    const seen: ChatEvent = { type: 'ChatSeen', data: { attendantId } }
    const elsewhere = (sentAt: string): ChatEvent => ({
      type: 'MessageSentElsewhere',
      data: { ...arrival, messageId: 'C1', sentAt },
    })
    given(received, elsewhere('2026-11-21T11:00:00.000Z')).when(see).then(seen)
    given(received, elsewhere(arrival.sentAt)).when(see).thenNothing()
    const failed: ChatEvent = { type: 'MessageFailed', data: { ...about, code: '463' } }
    given(queued, failed, received, again).when(see).then(seen)
  })

  it('gives every message one tick of each kind at most, in order, whatever is reported in whatever order', () => {
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

describe('a message that was written', () => {
  const [early, late] = ['2026-11-21T12:01:00.000Z', '2026-11-21T12:02:00.000Z']
  const corrected = { kind: 'text', text: 'Vocês abrem sábado?' } as const
  const edit = (editedAt: string, by: 'contact' | 'user' = 'contact', messageId = 'A1') =>
    ({ type: 'EditMessage', data: { messageId, by, content: corrected, editedAt } }) as const
  const edited = (editedAt: string): ChatEvent => ({
    type: 'MessageEdited',
    data: { messageId: 'A1', content: corrected, editedAt },
  })
  const remove = { type: 'DeleteMessage', data: { messageId: 'A1', by: 'contact', deletedAt: early } } as const
  const deleted: ChatEvent = { type: 'MessageDeleted', data: remove.data }

  it('is edited by its writer, and holds the latest words, in whatever order edits are reported', () => {
    given(received).when(edit(early)).then(edited(early))
    given(received, edited(late)).when(edit(early)).thenNothing()
    given(received, edited(early)).when(edit(early)).thenNothing()
    given(received, edited(early)).when(edit(late)).then(edited(late))
  })
  it('is edited and deleted by nobody else', () => {
    given(received).when(edit(early, 'user')).thenNothing()
    given(queued)
      .when(edit(early, 'contact', 'B1'))
      .thenNothing()
    given(received)
      .when({ ...remove, data: { ...remove.data, by: 'user' } })
      .thenNothing()
    given(queued)
      .when(edit(early, 'user', 'B1'))
      .then({ type: 'MessageEdited', data: { messageId: 'B1', content: corrected, editedAt: early } })
  })
  it('is deleted once, and not edited or reacted to after that', () => {
    given(received).when(remove).then(deleted)
    given(received, deleted).when(remove).thenNothing()
    given(received, deleted).when(edit(late)).thenNothing()
    given(received, deleted).when(react('👍', late)).thenNothing()
    given(received, deleted).when(queueReaction('👍')).thenRejected('message_not_found')
  })
  it('that nobody knows may be older than the linking: nothing happens', () => {
    for (const command of [edit(early), remove, react('👍', early)]) given().when(command).thenNothing()
  })
  it('has its words where they were written last', () => {
    const sent: ChatEvent = { type: 'MessageSent', data: about }
    const state = fold(chat, chat.initial, [queued, received, sent, edited(early)])
    expect([wordsAt(state, 'B1'), wordsAt(state, 'A1'), wordsAt(state, 'C1')]).toEqual([0, 3, undefined])
    expect(wordsAt(fold(chat, state, [deleted]), 'A1')).toBeUndefined()
  })

  const react = (emoji: string | null, reactedAt: string, by: 'contact' | 'user' = 'contact', reactionId = 'R1') =>
    ({ type: 'ReactToMessage', data: { messageId: 'A1', reactionId, by, emoji, reactedAt } }) as const
  const reacted = (emoji: string | null, reactedAt: string, by: 'contact' | 'user' = 'contact'): ChatEvent => ({
    type: 'MessageReacted',
    data: { messageId: 'A1', by, emoji, reactedAt },
  })
  const queueReaction = (emoji: string | null, reactionId = 'R9', messageId = 'A1') =>
    ({
      type: 'QueueReaction',
      data: { reactionId, messageId, connectionId, toJid: '1637@lid', emoji, attendantId },
    }) as const
  const reactionQueued = (emoji: string | null, reactionId = 'R9'): ChatEvent => ({
    type: 'ReactionQueued',
    data: { ...queueReaction(emoji, reactionId).data, toOwn: false },
  })

  const refuse = (messageId: string) => ({ type: 'MarkFailed', data: { messageId, code: '463' } }) as const
  const reactionFailed = (reactionId: string, emoji: string | null): ChatEvent => ({
    type: 'ReactionFailed',
    data: { reactionId, messageId: 'A1', code: '463', emoji },
  })

  it('has one reaction of each side, the latest', () => {
    given(received).when(react('👍', early)).then(reacted('👍', early))
    given(received, reacted('👍', early)).when(react('👍', late)).thenNothing()
    given(received, reacted('👍', late)).when(react('😂', early)).thenNothing()
    given(received, reacted('👍', early)).when(react('😂', late)).then(reacted('😂', late))
    given(received, reacted('👍', early)).when(react(null, late)).then(reacted(null, late))
    given(received).when(react(null, late)).thenNothing()
    given(received, reacted('👍', early))
      .when(react('👍', early, 'user'))
      .then(reacted('👍', early, 'user'))
  })
  it('takes a reaction of an attendant once, and ignores its echo', () => {
    given(received).when(queueReaction('❤️')).then(reactionQueued('❤️'))
    given(received, reactionQueued('❤️')).when(queueReaction('❤️')).thenNothing()
    given(received, reactionQueued('❤️'), reactionQueued('😂', 'R8'))
      .when(react('❤️', late, 'user', 'R9'))
      .thenNothing()
    given(received, reactionQueued('❤️'))
      .when(react('😂', late, 'user', 'R7'))
      .then(reacted('😂', late, 'user'))
  })
  it('shows again what the contact sees when WhatsApp refuses a reaction', () => {
    given(received, reactionQueued('❤️')).when(refuse('R9')).then(reactionFailed('R9', null))
    given(received, reactionQueued('❤️'), reactionFailed('R9', null)).when(refuse('R9')).thenNothing()
    given(received, reacted('👍', early, 'user'), reactionQueued('❤️'))
      .when(refuse('R9'))
      .then(reactionFailed('R9', '👍'))
    given(received, reactionQueued('❤️'), reacted('👍', late, 'user'))
      .when(refuse('R9'))
      .thenNothing()
  })
  it('shows again what stood before the first of several that WhatsApp refuses, in whatever order', () => {
    const quick = [received, reacted('👍', early, 'user'), reactionQueued('❤️'), reactionQueued(null, 'R8')]
    given(...quick)
      .when(refuse('R9'))
      .then(reactionFailed('R9', null))
    given(...quick, reactionFailed('R9', null))
      .when(refuse('R8'))
      .then(reactionFailed('R8', '👍'))
    given(...quick)
      .when(refuse('R8'))
      .then(reactionFailed('R8', '❤️'))
    given(...quick, reactionFailed('R8', '❤️'))
      .when(refuse('R9'))
      .then(reactionFailed('R9', '👍'))
    given(...quick, reactionFailed('R8', '❤️'))
      .when(queueReaction('❤️', 'R7'))
      .thenNothing()
  })
  it('of the own side is reacted to only once the contact can have it', () => {
    given(queued)
      .when(queueReaction('❤️', 'R9', 'B1'))
      .thenRejected('message_not_ready')
    given().when(queueReaction('❤️')).thenRejected('message_not_found')
    given(queued, { type: 'MessageSent', data: about })
      .when(queueReaction('❤️', 'R9', 'B1'))
      .then({ type: 'ReactionQueued', data: { ...queueReaction('❤️', 'R9', 'B1').data, toOwn: true } })
  })
  it('does not make a long chat dear', () => {
    const many = Array.from(
      { length: 100_000 },
      (_, index): ChatEvent => ({
        type: 'MessageReceived',
        data: { ...arrival, messageId: `M${index}` },
      }),
    )
    const state = fold(chat, chat.initial, many)
    expect([state.entries.count, wordsAt(state, 'M99999')]).toEqual([100_000, 99_999])
  })
})

describe('the chat of an erased contact', () => {
  const erased: ChatEvent = { type: 'ChatErased', data: {} }

  it('is closed once, also when nothing was ever written', () => {
    given(received).when({ type: 'EraseChat', data: {} }).then(erased)
    given().when({ type: 'EraseChat', data: {} }).then(erased)
    given(received, erased).when({ type: 'EraseChat', data: {} }).thenNothing()
  })
  it('takes no message any more, from either side', () => {
    given(erased).when({ type: 'ReceiveMessage', data: arrival }).thenRejected('contact_not_found')
    given(erased).when({ type: 'RecordMessageSentElsewhere', data: arrival }).thenRejected('contact_not_found')
    given(erased).when({ type: 'QueueMessage', data: outgoing }).thenRejected('contact_not_found')
  })
  it('remembers nothing of what was written', () => {
    const { isErased, length, ...left } = fold(chat, chat.initial, [received, queued, erased])
    const { isErased: _, length: __, ...nothing } = chat.initial
    expect([isErased, length, left]).toEqual([true, 3, { ...nothing, entries: clearEntries(nothing.entries) }])
  })
  it('has no ticks left', () => {
    given(queued, erased).when({ type: 'MarkRead', data: about }).thenNothing()
    given(received, erased).when({ type: 'MarkSeen', data: { attendantId } }).thenNothing()
  })
})
