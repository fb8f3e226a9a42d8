import { randomUUID } from 'node:crypto'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { postgresSnapshots } from '@prosa/kernel/domain/snapshots/snapshots'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { savedAtCuts } from '@prosa/kernel/testing/saved-states'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatCommand, chat } from './chat/chat.ts'
import type { ChatEvent } from './chat/evolve-chat.ts'
import { quote } from './chat/quote.ts'
import { contact } from './contact/contact.ts'
import type { ContactEvent } from './contact/contact-state.ts'
import { chatWith } from './contact/person.ts'
import { contactHandlers } from './handlers.ts'
import { contactMigrations } from './migrations/contact-migrations.ts'
import { connectionLine } from './others/connection-line.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations], store: memoryEventStore() })
})
afterAll(() => ports.close())

const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const connectionId = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
const toJid = '1637@lid'
const sentAt = '2026-11-21T12:00:00.000Z'
const words = (text: string) => ({ kind: 'text', text }) as const

const messageId = fc.constantFrom('A1', 'B2', 'C3', 'D4')
const reactionId = fc.constantFrom('R1', 'R2')
const emoji = fc.constantFrom('👍', '❤️', null)
const by = fc.constantFrom('contact' as const, 'user' as const)
const at = fc.constantFrom(sentAt, '2026-11-21T13:00:00.000Z', '2026-11-21T11:00:00.000Z')
const content = words('Olá')

const id = fc.constantFrom('11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222')

const chatEvent: fc.Arbitrary<ChatEvent> = fc.oneof(
  fc
    .record({ messageId, sentAt: at, connectionId: id })
    .map((data): ChatEvent => ({ type: 'MessageReceived', data: { ...data, content } })),
  fc
    .record({ messageId, sentAt: at })
    .map((data): ChatEvent => ({ type: 'MessageSentElsewhere', data: { ...data, connectionId, content } })),
  messageId.map(
    (id): ChatEvent => ({ type: 'MessageQueued', data: { messageId: id, connectionId, toJid, content, attendantId } }),
  ),
  fc
    .tuple(messageId, fc.constantFrom('MessageSent' as const, 'MessageDelivered' as const, 'MessageRead' as const))
    .map(([id, type]): ChatEvent => ({ type, data: { messageId: id } })),
  messageId.map((id): ChatEvent => ({ type: 'MessageFailed', data: { messageId: id, code: '463' } })),
  messageId.map((id): ChatEvent => ({ type: 'MessageEdited', data: { messageId: id, content, editedAt: sentAt } })),
  fc
    .record({ messageId, by })
    .map((data): ChatEvent => ({ type: 'MessageDeleted', data: { ...data, deletedAt: sentAt } })),
  fc.record({ messageId, by, emoji, reactedAt: at }).map((data): ChatEvent => ({ type: 'MessageReacted', data })),
  fc
    .record({ messageId, reactionId, emoji, toOwn: fc.boolean() })
    .map((data): ChatEvent => ({ type: 'ReactionQueued', data: { ...data, connectionId, toJid, attendantId } })),
  fc
    .record({ messageId, reactionId, emoji })
    .map((data): ChatEvent => ({ type: 'ReactionFailed', data: { ...data, code: '463' } })),
  fc.constant<ChatEvent>({ type: 'ChatSeen', data: { attendantId } }),
  fc.constant<ChatEvent>({ type: 'ChatErased', data: {} }),
)

const phone = fc.constantFrom('5511900000001', '5511900000002', null)
const lid = fc.constantFrom('1@lid', '2@lid', null)
const contactEvent: fc.Arbitrary<ContactEvent> = fc.oneof(
  fc
    .record({ phone, lid })
    .map((data): ContactEvent => ({ type: 'ContactAdded', data: { ...data, name: 'Ana', origin: 'message' } })),
  fc.record({ phone, lid }).map((data): ContactEvent => ({ type: 'ContactIdentified', data })),
  fc.constant<ContactEvent>({ type: 'ContactNamed', data: { name: 'Bia' } }),
  fc
    .constantFrom('ConversationAccepted' as const, 'ConversationResolved' as const)
    .map((type): ContactEvent => ({ type, data: { attendantId } })),
  fc.constant<ContactEvent>({ type: 'ConversationReopened', data: {} }),
  fc
    .record({ connectionId: id, lastReceivedAt: fc.constantFrom(sentAt, null) })
    .map((data): ContactEvent => ({ type: 'LineChosen', data: { ...data, attendantId, chosenAt: sentAt } })),
  id.map((absorbed): ContactEvent => ({ type: 'ContactMerged', data: { absorbed } })),
  id.map((into): ContactEvent => ({ type: 'ContactAbsorbed', data: { into } })),
  id.map((restored): ContactEvent => ({ type: 'ContactSeparated', data: { restored } })),
  id.map((from): ContactEvent => ({ type: 'ContactRestored', data: { from } })),
  fc.constant<ContactEvent>({ type: 'ContactErased', data: {} }),
)

const cuts = fc.array(fc.nat(40), { maxLength: 4 })
const runs = () => ({ numRuns: shortOrLong(40, 1000) })

describe('a state that is loaded from where it was saved, with what came after it', () => {
  it('is that of the whole history, wherever it was cut: a chat', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(chatEvent, { minLength: 1, maxLength: 40 }), cuts, async (history, at) => {
        const { loaded, folded } = await savedAtCuts(ports, { decider: chat, category: 'chat' }, history, at)
        expect(loaded).toEqual(folded)
      }),
      runs(),
    ),
  )

  it('is that of the whole history, wherever it was cut: a contact', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(contactEvent, { minLength: 1, maxLength: 40 }), cuts, async (history, at) => {
        const { loaded, folded } = await savedAtCuts(ports, { decider: contact, category: 'contact' }, history, at)
        expect(loaded).toEqual(folded)
      }),
      runs(),
    ),
  )

  it('is that of the whole history at every cut: whether a line is up', async () => {
    const history = [
      { type: 'ConnectionAdded', data: { name: 'Loja' } },
      { type: 'LineOpened', data: {} },
      { type: 'LineDropped', data: { code: 428, reason: 'lost' } },
      { type: 'LineOpened', data: {} },
    ] as const
    for (let cut = 0; cut <= history.length; cut++) {
      const of = { decider: connectionLine, category: 'connection' } as const
      const { loaded, folded } = await savedAtCuts(ports, of, history, [cut])
      expect(loaded).toEqual(folded)
    }
  })
})

describe('a message that is older than everything in memory', () => {
  const tenant = randomUUID()
  const chatId = randomUUID()
  const length = 3000
  let read = 0

  const newProcess = () => {
    const { pool, subjectKeys, box, log } = ports
    const store: EventStore = {
      ...ports.store,
      async *read(stream, options) {
        for await (const page of ports.store.read(stream, options)) {
          read += page.length
          yield page
        }
      },
    }
    const codec = eventCodec({ personal: personalEncryption(subjectKeys, box) })
    const snapshots = postgresSnapshots({ pool, subjectKeys, box, log })
    return { snapshots, ...contactHandlers({ ...ports, store, codec, snapshots }) }
  }
  const context = (): CommandContext => ({
    commandId: randomUUID(),
    actor: { kind: 'whatsapp', id: 'test' },
    tenant,
    causationId: 'test',
    correlationId: 'test',
  })
  const give = async (command: ChatCommand) => {
    read = 0
    const outcome = await newProcess().chats(chatId, command, context())
    return outcome.ok ? outcome.events.map(({ type }) => type) : outcome
  }
  const arrival = (message: string) => ({ messageId: message, connectionId, content: words(message), sentAt })

  beforeAll(async () => {
    const { chats, snapshots } = newProcess()
    const first = { connectionId, toJid, content: words('Bom dia'), attendantId }
    await chats(chatId, { type: 'QueueMessage', data: { messageId: 'OURS', ...first } }, context())
    await chats(chatId, { type: 'MarkSent', data: { messageId: 'OURS' } }, context())
    for (let index = 0; index < length; index++)
      await chats(chatId, { type: 'ReceiveMessage', data: arrival(`M${index}`) }, context())
    await snapshots.drain()
  }, 60_000)

  it('is not doubled by a redelivery', async () => {
    for (const message of ['M0', 'M17', `M${length - 1}`])
      expect(await give({ type: 'ReceiveMessage', data: arrival(message) })).toEqual([])
    expect(await give({ type: 'ReceiveMessage', data: arrival('NEW') })).toEqual(['MessageReceived'])
    expect(read).toBeLessThan(300)
  })
  it('gets its ticks', async () => {
    expect(await give({ type: 'MarkRead', data: { messageId: 'OURS' } })).toEqual(['MessageRead'])
    expect(await give({ type: 'MarkDelivered', data: { messageId: 'OURS' } })).toEqual([])
  })
  it('can be edited, reacted to, quoted and deleted, by whoever wrote it', async () => {
    const of = { messageId: 'M3' } as const
    const edit = { ...of, content: words('anders'), editedAt: sentAt }
    expect(await give({ type: 'EditMessage', data: { ...edit, by: 'user' } })).toEqual([])
    expect(await give({ type: 'EditMessage', data: { ...edit, by: 'contact' } })).toEqual(['MessageEdited'])
    const reaction = { ...of, by: 'contact', reactionId: 'R1', emoji: '👍', reactedAt: sentAt } as const
    expect(await give({ type: 'ReactToMessage', data: reaction })).toEqual(['MessageReacted'])
    expect(await give({ type: 'ReactToMessage', data: reaction })).toEqual([])
    const handlers = newProcess()
    const found = await chatWith(handlers, tenant, [chatId], 'M3')
    read = 0
    expect(found && (await quote(handlers, found, 'M3'))).toEqual({ messageId: 'M3', text: 'anders' })
    expect(read).toBe(1)
    expect(await give({ type: 'DeleteMessage', data: { ...of, by: 'contact', deletedAt: sentAt } })).toEqual([
      'MessageDeleted',
    ])
    expect(await give({ type: 'ReactToMessage', data: { ...reaction, reactionId: 'R2', emoji: null } })).toEqual([])
  })
  it('takes back a reaction that is refused late', async () => {
    const about = { messageId: 'M5', reactionId: 'OWN', connectionId, toJid, emoji: '❤️', attendantId }
    expect(await give({ type: 'QueueReaction', data: about })).toEqual(['ReactionQueued'])
    expect(await give({ type: 'MarkFailed', data: { messageId: 'OWN', code: '463' } })).toEqual(['ReactionFailed'])
  })
})
