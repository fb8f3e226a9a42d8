import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Clock } from '@prosa/kernel/clock'
import { postgresDrafts } from '@prosa/kernel/drafts/drafts'
import { host } from '@prosa/kernel/host'
import { postgresSpending } from '@prosa/kernel/spending/spending'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type Budgets, defaultBudgets } from '@prosa/product/budgets'
import { testPorts } from '@prosa/product/testing/test-ports'
import { automation } from '../automation.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Tests record other services' events. */
export const testFlows = async (given: { budgets?: Partial<Budgets>; clock?: Clock } = {}) => {
  const budgets = { ...defaultBudgets, ...given.budgets }
  const ports = await testPorts({ budgets, ...(given.clock && { clock: given.clock }) })
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [] }
  const running = await host([automation], ports, options)

  const record = async (tenant: string, stream: string, event: AnyEvent) => {
    let revision: bigint | 'no_stream' = 'no_stream'
    for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
    const metadata = {
      causationId: 'x',
      correlationId: randomUUID(),
      actor: { kind: 'user' as const, id: tenant },
      tenant,
      recordedAt: ports.clock.now(),
    }
    const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
    if (!(await ports.store.append(stream, revision, encoded)).ok) throw new Error('conflict')
  }

  const others: { stop(): Promise<void> }[] = []
  return {
    ports,
    until,
    /** Over the same log and database. */
    async another() {
      const { pool, clock } = ports
      const own = {
        spending: postgresSpending({ pool, clock, budgets }),
        drafts: postgresDrafts({ ...ports, budgets }),
      }
      const other = await host([automation], { ...ports, ...own }, options)
      others.push(other)
      return other.app
    },
    /** Without account events. */
    async subscriber() {
      const tenant = randomUUID()
      const { token } = await ports.browserSessions.issue(tenant)
      const cookie = `__Host-prosa=${token}`
      return {
        tenant,
        cookie,
        request: (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
          running.app.inject({ method, url, ...(payload && { payload }), headers: { cookie, ...headers } }),
        record: (stream: string, event: AnyEvent) => record(tenant, stream, event),
        events: async (...types: AnyEvent['type'][]) => {
          const all = await everythingIn(ports.store, 'flow', 'flowFolder', 'defaultFlow')
          return all.filter(({ metadata, type }) => metadata.tenant === tenant && types.includes(type))
        },
      }
    },
    async stop() {
      for (const other of others) await other.stop()
      await running.stop()
      await ports.close()
    },
  }
}
