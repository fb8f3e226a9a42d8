import { randomUUID } from 'node:crypto'
import type { EventType } from '@prosa/contracts/events/all-events'
import { streamName } from '@prosa/contracts/streams'
import { later } from '@prosa/kernel/clock'
import { silentLog } from '@prosa/kernel/observability/log'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { pairingRequests } from '../connection/pairing-requests.ts'
import type { Network } from '../domain/connection.ts'
import { credentialStore, type OpenCredentials } from '../gateway/credentials/credential-store.ts'
import type { Gateway, LineHandle, LineHooks } from '../gateway/gateway.ts'
import { sessionHandlers } from '../handlers.ts'
import { leaseKeeper } from '../leases/lease-keeper.ts'
import { phoneAnswers } from '../media/phone-answers.ts'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { outbox } from '../outbox/outbox.ts'
import { fastTimings } from '../testing/fast-timings.ts'
import { productionTimings } from '../timings.ts'
import { linkingSlots } from './linking-slots.ts'
import { lookUpsOfLines } from './look-ups/paced-look-ups.ts'
import { persistence } from './persistence.ts'
import { presenceBridge } from './presence/presence-bridge.ts'
import { reconciler } from './reconciler.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [sessionMigrations] })
})
afterAll(() => ports.close())

const number = { phone: '5511900000001', lid: '163640653162923', pushName: null }

/** Simulates linking: codes for unsigned credentials, an open line for signed ones. */
const whatsApp = () => {
  const credentials = credentialStore(ports.pool, ports.box)
  let shown: { hooks: LineHooks; opened: OpenCredentials } | undefined
  let online: LineHandle | undefined
  const gateway: Gateway = {
    async connect(tenant, hooks) {
      const opened = await credentials.open(tenant)
      const handle: Pick<LineHandle, 'close'> = {
        async close() {
          if (online === handle) online = undefined
          opened.close()
          hooks.closed({ code: 428, reason: 'Connection Terminated' })
        },
      }
      if (opened.state.creds.account) {
        online = handle as LineHandle
        setImmediate(() => hooks.opened(number))
      } else {
        shown = { hooks, opened }
        hooks.qrCode('a code')
      }
      return handle as LineHandle
    },
  }
  return {
    credentials,
    gateway,
    isShown: () => shown !== undefined,
    isOnline: () => online !== undefined,
    async scan() {
      if (!shown) throw new Error('no code was shown')
      const { hooks, opened } = shown
      opened.state.creds.account = { accountSignature: Buffer.alloc(64, 1) }
      await opened.save()
      return () => {
        hooks.linked(number)
        hooks.closed({ code: 515, reason: 'restart required' })
      }
    },
  }
}

const expiring = async () => {
  const gates = new Map<string, () => void>()
  const opened = new Map(
    (['LinkingExpired', 'NumberLinked'] satisfies EventType[]).map((type) => [
      type as string,
      new Promise<void>((resolve) => gates.set(type, resolve)),
    ]),
  )
  const store: TestPorts['store'] = {
    ...ports.store,
    async append(stream, expected, events) {
      for (const { type } of events) await opened.get(type)
      return ports.store.append(stream, expected, events)
    },
  }
  const given = { ...ports, store }
  const { connections, lines } = sessionHandlers(given)
  const [connectionId, tenant] = [randomUUID(), randomUUID()]
  const data = { name: 'Balcão', network: 'simulator' as const, until: later(ports.clock.now(), -1) }
  await connections(
    connectionId,
    { type: 'AddConnection', data },
    {
      commandId: randomUUID(),
      actor: { kind: 'user', id: tenant },
      tenant,
      causationId: 'test',
      correlationId: 'test',
    },
  )
  const keeper = leaseKeeper({ ...ports, leaseMs: 60_000 })
  await keeper.announce([connectionId])
  const [lease] = await keeper.takeFree(1)
  if (!lease) throw new Error('no lease')
  const phone = whatsApp()
  const storing = persistence(silentLog())
  const timings = { ...productionTimings, ...fastTimings }
  const reconciling = reconciler(lease, {
    ports: given,
    gateways: new Map<Network | null, Gateway>([['simulator', phone.gateway]]),
    leases: keeper,
    credentials: phone.credentials,
    outbox: outbox(ports.pool, ports.box),
    pairingRequests: pairingRequests(ports.pool, ports.secrets),
    presence: presenceBridge({ pubSub: ports.pubSub, log: silentLog(), now: Date.now, attendance: 60_000 }),
    connections,
    lines,
    persistence: storing,
    lookUps: lookUpsOfLines(60, () => Date.now()),
    slots: linkingSlots(10, () => Date.now()),
    phoneAnswers: phoneAnswers(ports.pool, ports.clock),
    timings,
    timingsOn: () => timings,
  })
  const letStore = (type: EventType) => gates.get(type)?.()
  onTestFinished(async () => {
    for (const open of gates.values()) open()
    await reconciling.end()
    await storing.stop()
    await keeper.finish(lease)
  })
  const events = async () =>
    (await everythingIn(ports.store, 'connection'))
      .filter(({ stream }) => stream === streamName('connection', connectionId))
      .map(({ type }) => type)
  await reconciling.reconcile()
  await until(phone.isShown)
  return {
    reconciling,
    phone,
    async stored(type: EventType) {
      letStore(type)
      await until(async () => (await events()).includes(type))
    },
    async expectLinked() {
      await until(() => phone.isOnline() && reconciling.line()?.state() === 'open')
      await until(async () => (await events()).includes('LineOpened'))
      expect((await events()).filter((type) => type !== 'QrCodeIssued')).toEqual([
        'ConnectionAdded',
        'LinkingStarted',
        'LinkingExpired',
        'NumberLinked',
        'LineOpened',
      ])
    },
  }
}

describe('a number that is scanned as time runs out stays linked, and its line opens', () => {
  it('when nobody looked at the connection between the two', async () => {
    const { reconciling, phone, stored, expectLinked } = await expiring()
    const report = await phone.scan()
    report()
    await stored('LinkingExpired')
    await stored('NumberLinked')
    await reconciling.reconcile()
    await expectLinked()
  })

  it('when the connection was looked at in between, and seemed to be idle', async () => {
    const { reconciling, phone, stored, expectLinked } = await expiring()
    const report = await phone.scan()
    report()
    await stored('LinkingExpired')
    await reconciling.reconcile()
    await stored('NumberLinked')
    await reconciling.reconcile()
    await expectLinked()
  })

  it('when the report of the scan comes last of all', async () => {
    const { reconciling, phone, stored, expectLinked } = await expiring()
    const report = await phone.scan()
    await stored('LinkingExpired')
    report()
    await stored('NumberLinked')
    await reconciling.reconcile()
    await expectLinked()
  })
})
