import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type ArrivedMessage, type DeliveryStatus, type LineCommand, type LineEvent, line } from './line.ts'
import { isOwnMessage, isPartner } from './line-state.ts'

const given = specify(line)
const contactId = '6f3f5d0e-8f0b-4a55-9a57-0d5a4f1c2b3d'

const message: ArrivedMessage = {
  messageId: '3EB0AA',
  chatJid: '122791454297318@lid',
  alternateJid: '5511900000002@s.whatsapp.net',
  fromMe: false,
  pushName: 'Ana',
  sentAt: '2026-11-21T14:00:00.000Z',
  via: 'notify',
  content: { kind: 'text', text: 'Olá' },
  raw: '',
}
const arrive = (changes: Partial<ArrivedMessage> = {}): LineCommand => ({
  type: 'RecordArrival',
  data: { ...message, ...changes },
})
const arrived = (changes: Partial<ArrivedMessage> = {}): LineEvent => ({
  type: 'MessageArrived',
  data: { ...message, ...changes },
})
const messageId = '3EB0BB'
const dispatch: LineCommand = { type: 'RecordDispatched', data: { messageId, contactId } }
const dispatched: LineEvent = { type: 'MessageDispatched', data: { messageId, contactId } }
const report = (status: DeliveryStatus): LineCommand => ({
  type: 'RecordDelivery',
  data: { messageId, contactId, status },
})
const reported = (status: DeliveryStatus): LineEvent => ({
  type: 'DeliveryReported',
  data: { messageId, contactId, status },
})
const fail: LineCommand = { type: 'RecordFailure', data: { messageId, contactId, code: '463' } }
const failed: LineEvent = { type: 'DispatchFailed', data: { messageId, contactId, code: '463' } }

describe('a line, of what arrives', () => {
  it('records a message', () => given().when(arrive()).then(arrived()))
  it('does not bring back a message whose sender was erased', () => {
    given(arrived({ chatJid: '[apagado]' }))
      .when(arrive())
      .thenNothing()
  })
  it('records a redelivery once, live or late', () => {
    given(arrived()).when(arrive()).thenNothing()
    given(arrived())
      .when(arrive({ via: 'append' }))
      .thenNothing()
  })
  it('distinguishes the same id in another chat, or written by us, from a redelivery', () => {
    given(arrived())
      .when(arrive({ chatJid: 'other@lid' }))
      .then(arrived({ chatJid: 'other@lid' }))
    given(arrived())
      .when(arrive({ fromMe: true }))
      .then(arrived({ fromMe: true }))
  })
  it('does not take the echo of its own message for one written on the phone', () =>
    given(dispatched)
      .when(arrive({ messageId, fromMe: true }))
      .thenNothing())
  it('forgets nothing, however much came since', () => {
    const many = Array.from({ length: 100_001 }, (_, index) => arrived({ messageId: `id ${index}` }))
    const state = fold(line, line.initial, many)
    expect(line.decide.RecordArrival(state, { ...message, messageId: 'id 0' })).toEqual([])
    expect(line.decide.RecordArrival(state, { ...message, messageId: 'id 50001' })).toEqual([])
  })
})

const chat = { chatJid: message.chatJid, alternateJid: null }
const edit: LineEvent = {
  type: 'EditArrived',
  data: {
    ...chat,
    fromMe: false,
    messageId: '3EB0AA',
    editId: 'E1',
    editedAt: '2026-11-21T14:01:00.000Z',
    content: { kind: 'text', text: 'Oi' },
  },
}
const deletion: LineEvent = {
  type: 'DeletionArrived',
  data: { ...chat, fromMe: false, messageId: '3EB0AA', deletionId: 'D1', deletedAt: '2026-11-21T14:02:00.000Z' },
}
const reaction: LineEvent = {
  type: 'ReactionArrived',
  data: {
    ...chat,
    fromMe: false,
    messageId: '3EB0AA',
    reactionId: 'R1',
    reactedAt: '2026-11-21T14:02:00.000Z',
    emoji: '👍',
  },
}
type About = 'EditArrived' | 'DeletionArrived' | 'ReactionArrived'
const commandOf = (event: LineEvent, changes: object = {}): LineCommand => {
  const types: Record<About, string> = {
    EditArrived: 'RecordEdit',
    DeletionArrived: 'RecordDeletion',
    ReactionArrived: 'RecordReaction',
  }
  return { type: types[event.type as About], data: { ...event.data, ...changes } } as LineCommand
}

describe('a line, of what happens to messages', () => {
  it.each([
    ['an edit', edit],
    ['a deletion', deletion],
    ['a reaction', reaction],
  ])('records %s once, also when its message is unknown, and not after an erasure', (_, event) => {
    given().when(commandOf(event)).then(event)
    given(arrived(), event).when(commandOf(event)).thenNothing()
    given({ ...event, data: { ...event.data, chatJid: '[apagado]' } } as LineEvent)
      .when(commandOf(event))
      .thenNothing()
  })
  it('lets only the author change a message', () => {
    for (const event of [edit, deletion]) {
      given(arrived({ fromMe: true }))
        .when(commandOf(event))
        .thenNothing()
      given({ type: 'MessageDispatched', data: { messageId: '3EB0AA', contactId } })
        .when(commandOf(event))
        .thenNothing()
      given(arrived())
        .when(commandOf(event, { fromMe: true }))
        .thenNothing()
    }
  })
  it('lets anybody react to anything, and take it back', () => {
    given({ type: 'MessageDispatched', data: { messageId: '3EB0AA', contactId } })
      .when(commandOf(reaction))
      .then(reaction)
    const back = { ...reaction, data: { ...reaction.data, reactionId: 'R2', emoji: null } } as LineEvent
    given(arrived(), reaction).when(commandOf(back)).then(back)
  })
  it('does not take the echo of its own reaction for one made on the phone', () =>
    given({ type: 'MessageDispatched', data: { messageId: 'R1', contactId } })
      .when(commandOf(reaction, { fromMe: true }))
      .thenNothing())
  it('knows since when there were messages with somebody, whatever the order of their coming', () => {
    const [early, late] = ['2026-11-21T14:00:00.000Z', '2026-11-21T15:00:00.000Z']
    const both = [arrived({ sentAt: late }), arrived({ sentAt: early, messageId: 'EARLIER' })]
    const state = fold(line, line.initial, both)
    expect(isPartner(state, message.chatJid, late)).toBe(true)
    expect(isPartner(state, message.chatJid, '2026-11-21T15:00:00.001Z')).toBe(false)
  })
  it('knows with whom there were messages, and which are its own', () => {
    const state = fold(line, line.initial, [arrived(), arrived({ fromMe: true, messageId: 'MINE' }), dispatched])
    expect(isPartner(state, message.chatJid)).toBe(true)
    expect(isPartner(state, message.alternateJid ?? '')).toBe(true)
    expect(isPartner(state, '999@lid')).toBe(false)
    expect(['MINE', messageId, '3EB0AA'].map((id) => isOwnMessage(state, message.chatJid, id))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('a line, of what goes out', () => {
  it('records the server taking a message once', () => {
    given().when(dispatch).then(dispatched)
    given(dispatched).when(dispatch).thenNothing()
  })
  it('records each status once and only forwards', () => {
    given(dispatched).when(report('delivered')).then(reported('delivered'))
    given(dispatched, reported('delivered')).when(report('delivered')).thenNothing()
    given(dispatched, reported('read')).when(report('delivered')).thenNothing()
    given(dispatched, reported('delivered')).when(report('read')).then(reported('read'))
    given(dispatched, reported('read')).when(dispatch).thenNothing()
  })
  it('records a receipt that overtook the acknowledgement after the dispatch that it proves', () =>
    given().when(report('delivered')).then(dispatched, reported('delivered')))
  it('records a refusal, and the next one of a message that was tried again', () => {
    given().when(fail).then(failed)
    given(failed).when(fail).then(failed)
  })
  it('fails a message that was given the id of another, and keeps what it knows of the other', () => {
    const other = { messageId, contactId: '5d6f0f0e-7a3f-4f0b-9c64-5f9f4d9b8c11', code: 'message_id_taken' }
    const taken: LineEvent = { type: 'DispatchFailed', data: other }
    given(dispatched).when({ type: 'RecordFailure', data: other }).then(taken)
    given(dispatched, taken).when(fail).thenNothing()
    given(dispatched, taken).when(report('delivered')).then(reported('delivered'))
  })
  it('does not let a late refusal undo what the server took', () => given(dispatched).when(fail).thenNothing())
  it('believes a receipt more than an earlier refusal', () =>
    given(failed).when(report('read')).then(dispatched, reported('read')))
})
