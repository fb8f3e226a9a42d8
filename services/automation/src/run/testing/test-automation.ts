import { randomUUID } from 'node:crypto'
import type { AnyEvent, EventType } from '@prosa/contracts/events/all-events'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { parseStream } from '@prosa/contracts/streams'
import { systemClock } from '@prosa/kernel/clock'
import { host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type Budgets, defaultBudgets } from '@prosa/product/budgets'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import { testPorts } from '@prosa/product/testing/test-ports'
import { automationAt } from '../../automation.ts'
import { findFlowsOn } from '../queries.ts'
import type { RequestSettings } from '../requests/mount-requests.ts'
import { spokenText } from '../text/spoken-text.ts'
import { recorderOf } from './recorder-of.ts'

export type TestAutomation = Awaited<ReturnType<typeof testAutomation>>
type Of<T extends EventType> = Extract<AnyEvent, { type: T }>

/** Tests record other services' events. */
export const testAutomation = async (budgets: Partial<Budgets> = {}, requests: RequestSettings = {}) => {
  const automation = automationAt(requests)
  const migrations = automation.migrations ? [automation.migrations] : []
  const entitlements = memoryEntitlements(systemClock, { ...noPlanRules, afterEnd: 'ended' })
  const ports = await testPorts({ migrations, entitlements, budgets: { ...defaultBudgets, ...budgets } })
  const running = await host([automation], ports, {
    ...{ hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 1000 },
  })

  const record = recorderOf(ports)

  return {
    ports,

    async shop() {
      const tenant = randomUUID()
      const connectionId = randomUUID()
      await record(tenant, `connection-${connectionId}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
      const endAccess = () => entitlements.change(tenant, { endsAt: '2026-01-01T00:00:00.000Z' })
      const { token } = await ports.browserSessions.issue(tenant)
      const headers = { cookie: `__Host-prosa=${token}` }
      const events = async <T extends EventType>(...types: T[]) =>
        (await everythingIn(ports.store, 'flowRun')).filter(
          ({ metadata, type }) => metadata.tenant === tenant && (types as string[]).includes(type),
        ) as unknown as (Of<T> & { stream: string })[]

      return {
        tenant,
        connectionId,
        endAccess,
        events,
        record: (stream: string, ...facts: AnyEvent[]) => record(tenant, stream, ...facts),
        request: (method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) =>
          running.app.inject({ method, url, headers, ...(payload && { payload }) }),
        ask: (url: string, payload: object = {}, more: Record<string, string> = {}) =>
          running.app.inject({ method: 'POST', url, payload, headers: { ...headers, ...more } }),
        put: (url: string, payload: object, more: Record<string, string> = {}) =>
          running.app.inject({ method: 'PUT', url, payload, headers: { ...headers, ...more } }),
        get: (url: string) => running.app.inject({ method: 'GET', url, headers }),
        undo: (url: string) => running.app.inject({ method: 'DELETE', url, headers }),

        /** Waits until messages can start it. */
        async flow(document: FlowDocument) {
          const flowId = randomUUID()
          await record(
            tenant,
            `flow-${flowId}`,
            { type: 'FlowCreated', data: { name: 'Boas-vindas', folderId: null, document, origin: 'new' } },
            { type: 'FlowPublished', data: { version: 1, document } },
          )
          await until(async () => (await findFlowsOn(ports.pool, tenant)).some((each) => each.flowId === flowId))
          return flowId
        },

        async contact(name = 'Ana Souza') {
          const id = randomUUID()
          const data = { phone: null, lid: `${id}@lid`, name, origin: 'message' } as const
          await record(tenant, `contact-${id}`, { type: 'ContactAdded', data })
          const own = async <T extends EventType>(...types: T[]) =>
            (await events(...types)).filter(({ stream }) => parseStream(stream).id === id)
          return {
            id,
            events: own,
            writes: (text: string, sentAt = ports.clock.now(), over = connectionId) =>
              record(tenant, `chat-${id}`, {
                type: 'MessageReceived',
                data: { messageId: randomUUID(), connectionId: over, content: { kind: 'text', text }, sentAt },
              }),
            sent: async () =>
              (await own('FlowMessageRequested')).map(({ data }) =>
                spokenText((data as Of<'FlowMessageRequested'>['data']).content),
              ),
            ends: async () =>
              (await own('FlowRunEnded')).map(({ data }) => (data as Of<'FlowRunEnded'>['data']).reason),
          }
        },
      }
    },

    async stop() {
      await running.stop()
      await ports.close()
    },
  }
}
