import { later } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import type { PubSub } from '@prosa/kernel/privacy/pub-sub'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactMigrations } from './migrations/contact-migrations.ts'
import { presenceBridge } from './presence-bridge.ts'
import { testTenant } from './testing/test-tenant.ts'

let now = '2026-11-21T12:00:00.000Z'
let ports: TestPorts
const over = new AbortController()
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations], codec: eventCodec(), clock: { now: () => now } })
})
afterAll(() => {
  over.abort()
  return ports.close()
})

describe('that somebody writes', () => {
  it('is passed on once a second for each state, over the line of the conversation', async () => {
    const tenant = testTenant(ports)
    await tenant.record(`connection-${tenant.lineId}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
    await tenant.receives({ chatJid: '1636@lid' })
    const [contact] = await tenant.visible()
    const contactId = contact?.id ?? ''
    const { tenant: tenantId, lineId: connectionId } = tenant
    presenceBridge(tenant.handlers, ports, over.signal)
    const { pubSub }: { pubSub: PubSub } = ports
    const published: string[] = []
    pubSub.subscribe('presence.requested', (each) => {
      if (each.tenant !== tenantId) return
      expect(each).toMatchObject({ tenant: tenantId, contactId, connectionId, toJid: '1636@lid' })
      published.push(each.state)
    })
    const types = (state: 'typing' | 'recording' | 'paused') =>
      pubSub.publish('contact.typing', { tenant: tenantId, contactId, state })
    await until(async () => {
      await types('recording')
      return published.length > 0
    })
    for (let time = 0; time < 5; time++) await types('typing')
    await until(() => published.includes('typing'))
    now = later(now, 999)
    await types('typing')
    await types('paused')
    await until(() => published.includes('paused'))
    now = later(now, 1)
    await types('typing')
    await until(() => published.filter((each) => each === 'typing').length > 1)
    expect(published).toEqual(['recording', 'typing', 'paused', 'typing'])
  })

  it('is shown to nobody whose conversation has no number any more: another one would be a stranger', async () => {
    const [gone, other] = [testTenant(ports), testTenant(ports)]
    const shown: string[] = []
    ports.pubSub.subscribe('presence.requested', ({ tenant: tenantId }) => void shown.push(tenantId))
    const types = async ({ tenant: tenantId, visible }: typeof gone) => {
      const [contact] = await visible()
      await ports.pubSub.publish('contact.typing', { tenant: tenantId, contactId: contact?.id ?? '', state: 'typing' })
    }
    for (const tenant of [gone, other]) {
      await tenant.record(`connection-${tenant.lineId}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
      await tenant.receives({ chatJid: '1636@lid' })
      presenceBridge(tenant.handlers, ports, over.signal)
    }
    await gone.record(`connection-${gone.lineId}`, { type: 'ConnectionRemoved', data: {} })
    await until(async () => {
      await types(gone)
      now = later(now, 1000)
      await types(other)
      return shown.includes(other.tenant)
    })
    expect(shown).not.toContain(gone.tenant)
  })
})
