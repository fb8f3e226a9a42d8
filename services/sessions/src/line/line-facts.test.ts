import { randomUUID } from 'node:crypto'
import { streamName } from '@prosa/contracts/streams'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { silentLog } from '@prosa/kernel/observability/log'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Arrival } from '../domain/line.ts'
import { arrivalOf } from '../gateway/whatsapp/arrival.ts'
import { sessionHandlers } from '../handlers.ts'
import { LeaseLost, leaseKeeper } from '../leases/lease-keeper.ts'
import { phoneAnswers } from '../media/phone-answers.ts'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { outbox } from '../outbox/outbox.ts'
import { lineFacts } from './line-facts.ts'
import { persistence } from './persistence.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [sessionMigrations] })
})
afterAll(() => ports.close())

const arrival: Arrival = {
  type: 'RecordArrival',
  data: {
    messageId: 'AA',
    chatJid: '1@lid',
    alternateJid: null,
    fromMe: false,
    pushName: null,
    sentAt: '2026-11-21T14:00:00.000Z',
    via: 'notify',
    content: { kind: 'text', text: 'oi' },
    raw: '',
  },
}

const aProcess = ({ codec }: Pick<TestPorts, 'codec'> = ports) => ({
  ...sessionHandlers({ ...ports, codec }),
  outbox: outbox(ports.pool, ports.box),
  persistence: persistence(silentLog()),
  phoneAnswers: phoneAnswers(ports.pool, ports.clock),
  ports,
})

const aConnection = async () => {
  const [connectionId, tenant] = [randomUUID(), randomUUID()]
  const context = {
    commandId: randomUUID(),
    actor: { kind: 'user' as const, id: tenant },
    tenant,
    causationId: 'test',
    correlationId: 'test',
  }
  const data = { name: 'Balcão', network: 'simulator' as const, until: ports.clock.now() }
  await aProcess().connections(connectionId, { type: 'AddConnection', data }, context)
  await leaseKeeper({ ...ports, leaseMs: 60_000 }).announce([connectionId])
  return { connectionId, tenant }
}

const takeLease = async () => {
  await ports.pool.query('update connection_lease set expires_at = clock_timestamp()')
  const [lease] = await leaseKeeper({ ...ports, leaseMs: 60_000, monotonicNow: () => 0 }).takeFree(1)
  if (!lease) throw new Error('no lease')
  onTestFinished(async () => {
    await ports.pool.query('delete from connection_lease')
  })
  return lease
}

const lineEvents = async (connectionId: string) =>
  (await everythingIn(ports.store, 'line')).filter(({ stream }) => stream === streamName('line', connectionId))

it('a line records nothing once another process looks after its connection, though its own clock stood still', async () => {
  const { connectionId, tenant } = await aConnection()
  const facts = lineFacts(aProcess(), connectionId, tenant, await takeLease())
  await facts.arrived(arrival)

  await takeLease()
  await expect(facts.connection({ type: 'ReplaceConnection', data: { generation: 0 } })).rejects.toThrow(LeaseLost)
  const late: Arrival = { ...arrival, data: { ...arrival.data, messageId: 'BB' } }
  await expect(facts.arrived(late)).rejects.toThrow(LeaseLost)
  await expect(facts.also(async () => undefined)).rejects.toThrow(LeaseLost)

  const ofConnection = (await everythingIn(ports.store, 'connection')).map(({ type }) => type)
  expect(ofConnection).toEqual(['ConnectionAdded', 'LinkingStarted'])
  expect(await lineEvents(connectionId)).toHaveLength(1)
})

describe('a message that fails', () => {
  const queueing = async () => {
    const { connectionId, tenant } = await aConnection()
    const messages = outbox(ports.pool, ports.box)
    const contactId = randomUUID()
    let position = 0
    const queue = () =>
      messages.add({
        ...{ connectionId, tenant, contactId, messageId: '3EB0AA', toJid: '1@lid', eventId: randomUUID() },
        position: String(++position),
        work: { kind: 'message', content: { kind: 'text', text: 'oi' }, secret: Buffer.alloc(32).toString('base64') },
        correlationId: 'test',
      })
    const failures = async () => (await lineEvents(connectionId)).filter(({ type }) => type === 'DispatchFailed')
    return { connectionId, tenant, queue, failures }
  }

  it('is recorded for each time that it was tried, also by a process that knows nothing of the time before', async () => {
    const { connectionId, tenant, queue, failures } = await queueing()
    const [one, other] = [aProcess(), aProcess()]
    await lineFacts(one, connectionId, tenant, await takeLease()).arrived(arrival)
    await queue()
    await lineFacts(other, connectionId, tenant, await takeLease()).failed('3EB0AA', '463')
    await queue()
    await lineFacts(one, connectionId, tenant, await takeLease()).failed('3EB0AA', '463')
    const ids = (await failures()).map(({ id }) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
  })

  it('is recorded once, however often WhatsApp reports it', async () => {
    const { connectionId, tenant, queue, failures } = await queueing()
    await queue()
    const facts = lineFacts(aProcess(), connectionId, tenant, await takeLease())
    for (const _ of [1, 2]) await facts.failed('3EB0AA', '463')
    expect(await failures()).toHaveLength(1)
  })
})

it('a message is stored however large its sender made it, with its raw form while the log takes that too', async () => {
  const { connectionId, tenant } = await aConnection()
  const codec = eventCodec({ personal: personalEncryption(ports.subjectKeys, ports.box) })
  const facts = lineFacts(aProcess({ codec }), connectionId, tenant, await takeLease())
  const hasRaw: boolean[] = []
  // In JSON the first takes six bytes, the second four.
  for (const character of ['\u0001', '🍞'])
    for (const bytes of [0, 50_000, 100_000, 200_000, 300_000, 400_000, 600_000]) {
      const found = arrivalOf(
        {
          key: { remoteJid: '1@lid', id: `3EB0${hasRaw.length}`, fromMe: false },
          message: {
            conversation: character.repeat(65_536 / character.length),
            documentMessage: { jpegThumbnail: Buffer.alloc(bytes, 1) },
          },
        },
        { via: 'notify', now: new Date(), fileId: () => randomUUID() },
      )
      if (found?.type !== 'RecordArrival') throw new Error('no message')
      expect(found.data.content).toMatchObject({ kind: 'text' })
      await facts.arrived(found)
      hasRaw.push(found.data.raw !== '')
    }
  const stored: string[] = []
  for await (const page of ports.store.read(streamName('line', connectionId)))
    stored.push(...page.map(({ type }) => type))
  expect(stored).toEqual(hasRaw.map(() => 'MessageArrived'))
  expect(new Set(hasRaw)).toEqual(new Set([true, false]))
})
