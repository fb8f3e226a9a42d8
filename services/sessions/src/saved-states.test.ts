import { randomUUID } from 'node:crypto'
import { addressSubject } from '@prosa/contracts/events/subjects'
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
import { type ConnectionEvent, connection } from './domain/connection.ts'
import { type ArrivedMessage, type LineCommand, type LineEvent, line } from './domain/line.ts'
import { byChat, chatOf, isOwnMessage, isPartner } from './domain/line-state.ts'
import { sessionHandlers } from './handlers.ts'
import { sessionMigrations } from './migrations/session-migrations.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [sessionMigrations], store: memoryEventStore() })
})
afterAll(() => ports.close())

const contactId = '6f3f5d0e-8f0b-4a55-9a57-0d5a4f1c2b3d'
const [ana, bia] = ['111@lid', '222@lid']
const sentAt = '2026-11-21T14:00:00.000Z'
const content = { kind: 'text', text: 'Olá' } as const

const messageId = fc.constantFrom('M1', 'M2', 'M3')
const chat = fc.record({
  messageId,
  chatJid: fc.constantFrom(ana, bia),
  alternateJid: fc.constantFrom('5511900000002@s.whatsapp.net', null),
  fromMe: fc.boolean(),
})
const changeId = fc.constantFrom('X1', 'X2', 'M1')
const times = fc.constantFrom(sentAt, '2026-11-21T15:00:00.000Z', '2026-11-21T13:00:00.000Z')
const lineEvent: fc.Arbitrary<LineEvent> = fc.oneof(
  fc.tuple(chat, times).map(
    ([about, at]): LineEvent => ({
      type: 'MessageArrived',
      data: { ...about, pushName: 'Ana', sentAt: at, via: 'notify', content, raw: '' },
    }),
  ),
  fc
    .tuple(chat, changeId)
    .map(
      ([about, editId]): LineEvent => ({ type: 'EditArrived', data: { ...about, editId, editedAt: sentAt, content } }),
    ),
  fc.tuple(chat, changeId).map(
    ([about, deletionId]): LineEvent => ({
      type: 'DeletionArrived',
      data: { ...about, deletionId, deletedAt: sentAt },
    }),
  ),
  fc.tuple(chat, changeId).map(
    ([about, reactionId]): LineEvent => ({
      type: 'ReactionArrived',
      data: { ...about, reactionId, reactedAt: sentAt, emoji: '👍' },
    }),
  ),
  messageId.map((id): LineEvent => ({ type: 'MessageDispatched', data: { messageId: id, contactId } })),
  fc
    .tuple(messageId, fc.constantFrom('delivered' as const, 'read' as const, 'played' as const))
    .map(([id, status]): LineEvent => ({ type: 'DeliveryReported', data: { messageId: id, contactId, status } })),
  messageId.map((id): LineEvent => ({ type: 'DispatchFailed', data: { messageId: id, contactId, code: '463' } })),
)

const number = fc.record({
  phone: fc.constantFrom('5511900000001', null),
  lid: fc.constantFrom('1@lid', '2@lid', null),
})
const connectionEvent: fc.Arbitrary<ConnectionEvent> = fc.oneof(
  fc.constant<ConnectionEvent>({ type: 'ConnectionAdded', data: { name: 'Loja', network: 'simulator' } }),
  times.map((until): ConnectionEvent => ({ type: 'LinkingStarted', data: { until } })),
  fc.constantFrom<ConnectionEvent>(
    { type: 'QrCodeIssued', data: { expiresAt: sentAt } },
    { type: 'PairingCodeIssued', data: { phone: '5511900000001', expiresAt: sentAt } },
    { type: 'LinkingExpired', data: {} },
    { type: 'LineOpened', data: {} },
    { type: 'LineDropped', data: { code: 428, reason: 'lost' } },
    { type: 'ConnectionReplaced', data: {} },
    { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } },
    { type: 'ConnectionRefused', data: { code: 402, reason: 'banned for a while' } },
    { type: 'NumberUnlinked', data: {} },
    { type: 'ConnectionDisconnected', data: {} },
    { type: 'ConnectionRemoved', data: {} },
  ),
  number.map((data): ConnectionEvent => ({ type: 'NumberLinked', data: { ...data, pushName: 'Loja' } })),
)

const cuts = fc.array(fc.nat(40), { maxLength: 4 })
const runs = () => ({ numRuns: shortOrLong(40, 1000) })

describe('a state that is loaded from where it was saved, with what came after it', () => {
  it('is that of the whole history, wherever it was cut: a line', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(lineEvent, { minLength: 1, maxLength: 40 }), cuts, async (history, at) => {
        const { loaded, folded } = await savedAtCuts(ports, { decider: line, category: 'line' }, history, at)
        expect(loaded).toEqual(folded)
      }),
      runs(),
    ),
  )

  it('is that of the whole history, wherever it was cut: a connection', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(connectionEvent, { minLength: 1, maxLength: 40 }), cuts, async (history, at) => {
        const { loaded, folded } = await savedAtCuts(
          ports,
          { decider: connection, category: 'connection' },
          history,
          at,
        )
        expect(loaded).toEqual(folded)
      }),
      runs(),
    ),
  )
})

describe('on a line, what is older than everything in memory', () => {
  const tenant = randomUUID()
  const lineId = randomUUID()
  const length = 3000
  let read = 0

  const newProcess = () => {
    const { pool, subjectKeys, box, log, clock } = ports
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
    return { snapshots, ...sessionHandlers({ store, codec, clock, snapshots }) }
  }
  const context = (): CommandContext => ({
    commandId: randomUUID(),
    actor: { kind: 'whatsapp', id: lineId },
    tenant,
    causationId: 'test',
    correlationId: 'test',
  })
  const run = async (command: LineCommand) => {
    read = 0
    const outcome = await newProcess().lines(lineId, command, context())
    return outcome.ok ? outcome.events.map(({ type }) => type) : outcome
  }
  const arrival = (id: string, chatJid = ana, fromMe = false): ArrivedMessage => ({
    messageId: id,
    chatJid,
    alternateJid: null,
    fromMe,
    pushName: 'Ana',
    sentAt,
    via: 'notify',
    content,
    raw: '',
  })
  const arrive = (...about: Parameters<typeof arrival>): LineCommand => ({
    type: 'RecordArrival',
    data: arrival(...about),
  })
  const ask = async <T>(
    question: Parameters<ReturnType<typeof newProcess>['lines']['load']>[2] & ((state: never) => T),
  ) => {
    const { lines } = newProcess()
    return question((await lines.load(lineId, tenant, question)) as never)
  }

  beforeAll(async () => {
    await ports.subjectKeys.toEncrypt([`user:${tenant}`])
    const { lines, snapshots } = newProcess()
    await lines(lineId, { type: 'RecordDispatched', data: { messageId: 'OURS', contactId } }, context())
    for (let index = 0; index < length; index++)
      await lines(lineId, arrive(`M${index}`, index % 2 === 0 ? ana : bia), context())
    await snapshots.drain()
  }, 60_000)

  it('is not doubled by a redelivery', async () => {
    for (const [id, chatJid] of [
      ['M0', ana],
      ['M17', bia],
      [`M${length - 1}`, bia],
    ] as const)
      expect(await run(arrive(id, chatJid))).toEqual([])
    expect(read).toBeLessThan(300)
    expect(await run(arrive('M0', bia))).toEqual(['MessageArrived'])
    expect(await run(arrive('M0', bia))).toEqual([])
    expect(await run(arrive('M0', ana))).toEqual([])
    expect(await run(arrive('OURS', ana, true))).toEqual([])
  })
  it('gets its receipts, once', async () => {
    const read = { type: 'RecordDelivery', data: { messageId: 'OURS', contactId, status: 'read' } } as const
    expect(await run(read)).toEqual(['DeliveryReported'])
    expect(await run(read)).toEqual([])
  })
  it('can be edited by whoever wrote it, and nobody else', async () => {
    const edit = (fromMe: boolean): LineCommand => ({
      type: 'RecordEdit',
      data: {
        messageId: 'M4',
        chatJid: ana,
        alternateJid: null,
        fromMe,
        editId: `E${fromMe}`,
        editedAt: sentAt,
        content,
      },
    })
    expect(await run(edit(true))).toEqual([])
    expect(await run(edit(false))).toEqual(['EditArrived'])
    expect(await run(edit(false))).toEqual([])
  })
  it('is known by its chat', async () => {
    expect(await ask((state) => chatOf(state, 'M9'))).toBe(bia)
    expect(await ask((state) => chatOf(state, 'nobody knows'))).toBeUndefined()
    expect(await ask((state) => [...byChat(state, ['M2', 'M3', 'M4', 'none'])])).toEqual([
      [ana, ['M2', 'M4']],
      [bia, ['M3']],
    ])
    expect(
      await ask((state) => [isPartner(state, ana), isPartner(state, '333@lid'), isOwnMessage(state, ana, 'OURS')]),
    ).toEqual([true, false, true])
  })
  it('names nobody once that person was erased, and does not come back', async () => {
    await ports.subjectKeys.erase([addressSubject(tenant, bia, ports.box.fingerprint)])
    expect(await ask((state) => chatOf(state, 'M9'))).toBeUndefined()
    expect(await ask((state) => chatOf(state, 'M8'))).toBe(ana)
    for (const id of ['M9', 'M0', `M${length - 1}`]) expect(await run(arrive(id, bia))).toEqual([])
    const { rows } = await ports.pool.query<{ key: string; value: Buffer }>('select key, value from stream_entry')
    expect(rows.filter(({ key, value }) => key.includes('@lid') || value.toString('latin1').includes('@lid'))).toEqual(
      [],
    )
  })
})
