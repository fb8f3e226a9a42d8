import { randomUUID } from 'node:crypto'
import { streamName } from '@prosa/contracts/streams'
import { silentLog } from '@prosa/kernel/log'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/kernel/testing/test-ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sessionHandlers } from '../handlers.ts'
import { LeaseLost, leaseKeeper } from '../leases/lease-keeper.ts'
import type { Arrival } from '../line.ts'
import { phoneAnswers } from '../media/phone-answers.ts'
import { outbox } from '../outbox/outbox.ts'
import { createSessionTables } from '../tables.ts'
import { lineFacts } from './line-facts.ts'
import { persistence } from './persistence.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts()
  await createSessionTables(ports.pool)
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

it('a line records nothing once another process looks after its connection, though its own clock stood still', async () => {
  const owner = randomUUID()
  const connectionId = randomUUID()
  const { connections, lines } = sessionHandlers(ports)
  const context = {
    commandId: randomUUID(),
    actor: { kind: 'user' as const, id: owner },
    owner,
    causationId: 'test',
    correlationId: 'test',
  }
  const data = { name: 'Balcão', network: 'simulator' as const, until: ports.clock.now() }
  await connections(connectionId, { type: 'AddConnection', data }, context)
  const keeper = leaseKeeper({ ...ports, leaseMilliseconds: 60_000, monotonicNow: () => 0 })
  await keeper.announce([connectionId])
  const [lease] = await keeper.takeFree(1)
  if (!lease) throw new Error('no lease')
  const deps = {
    connections,
    lines,
    outbox: outbox(ports.pool, ports.box),
    persistence: persistence(silentLog()),
    phoneAnswers: phoneAnswers(ports.pool, ports.clock),
    ports,
  }
  const facts = lineFacts(deps, connectionId, owner, lease)
  await facts.arrived(arrival)

  await ports.pool.query('update connection_lease set expires_at = clock_timestamp()')
  await leaseKeeper({ ...ports, leaseMilliseconds: 60_000 }).takeFree(1)
  // What the next owner's line does to this one.
  await expect(facts.connection({ type: 'ReplaceConnection', data: { generation: 0 } })).rejects.toThrow(LeaseLost)
  const late: Arrival = { ...arrival, data: { ...arrival.data, messageId: 'BB' } }
  await expect(facts.arrived(late)).rejects.toThrow(LeaseLost)
  await expect(facts.also(async () => undefined)).rejects.toThrow(LeaseLost)

  const ofConnection = (await everythingIn(ports.store, 'connection')).map(({ type }) => type)
  expect(ofConnection).toEqual(['ConnectionAdded', 'LinkingStarted'])
  const ofLine = (await everythingIn(ports.store, 'line')).filter(
    ({ stream }) => stream === streamName('line', connectionId),
  )
  expect(ofLine).toHaveLength(1)
})
