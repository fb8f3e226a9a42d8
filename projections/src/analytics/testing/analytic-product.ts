import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { tablePositionHeader } from '@prosa/contracts/http/streams'
import type { TableName } from '@prosa/contracts/published/tables/all-tables'
import type { KeyScope } from '@prosa/contracts/values/key'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { until } from '@prosa/kernel/testing/until'
import { keyRoutes } from '@prosa/product/keys/key-routes'
import { expect } from 'vitest'
import { testProjections } from '../../testing/test-projections.ts'
import { analyticTables } from '../tables.ts'
import type { Happened } from './drawn-history.ts'

export type Row = Record<string, unknown>

const readModels = Object.values(analyticTables).map(({ readModel }) => readModel)

export const rowsIn = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The read side with keys, over a log that a test writes; its clock is set by the test. */
export const analyticProduct = async (clock: { now: string }) => {
  const prosa = await testProjections({ now: () => clock.now })
  await prosa.app.register(keyRoutes(prosa.ports))
  await prosa.app.ready()
  const lengths = new Map<string, bigint>()
  let end: Position = beginning

  const record = async ({ tenant, stream, at, event, cause }: Happened) => {
    const { store, codec } = prosa.ports
    const length = lengths.get(stream) ?? 0n
    lengths.set(stream, length + 1n)
    const metadata = {
      ...{ causationId: cause, correlationId: cause, tenant },
      ...{ actor: { kind: 'system', id: 'test' } as const, recordedAt: new Date(at).toISOString() },
    }
    const encoded = await codec.encode([{ id: randomUUID(), stream, event, metadata }])
    const appended = await store.append(stream, length === 0n ? 'no_stream' : length - 1n, encoded)
    if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
    end = appended.position
    return end
  }
  const reached = async () => {
    for (const { readModel } of Object.values(analyticTables))
      await until(async () => ((await prosa.ports.readModels.position(readModel)) ?? '') >= end)
  }
  const cookieOf = async (user: string) => `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
  const register = async (user: string, at: number) => {
    const person = { firstName: 'Ana', lastName: 'Lima', email: `${user}@example.com`, credentialId: randomUUID() }
    await record({
      tenant: user,
      stream: `user-${user}`,
      at,
      event: { type: 'UserRegistered', data: person },
      cause: user,
    })
  }
  const keyOf = async (
    user: string,
    { withPersonal = false, scopes = ['tables', 'streams'] as KeyScope[], path = '/api/keys' } = {},
  ) => {
    const payload = { name: 'Painel', scopes, expiresInDays: 30, ...(path === '/api/keys' && { withPersonal }) }
    const headers = { cookie: await cookieOf(user) }
    const reply = await prosa.app.inject({ method: 'POST', url: path, headers, payload })
    expect(reply.statusCode, reply.body).toBe(201)
    return reply.json().key as string
  }
  const ask = (key: string, url: string) =>
    prosa.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${key}` } })
  return {
    prosa,
    record,
    /** Waits until the tables have all that was recorded. */
    reached,
    readModels,
    register,
    async registerAnalyst(user: string, at: number) {
      await register(user, at)
      const granted: AnyEvent = { type: 'RoleGranted', data: { role: 'analyst' } }
      await record({ tenant: user, stream: `user-${user}`, at, event: granted, cause: user })
      await until(async () => (await prosa.ports.roles.of(user)).includes('analyst'))
    },
    keyOf,
    analystKeyOf: (user: string) => keyOf(user, { path: '/api/analyst/keys' }),
    ask,
    async read(key: string, table: TableName, query = '') {
      const reply = await ask(key, `/api/streams/tables/${table}${query}`)
      expect(reply.statusCode, reply.body).toBe(200)
      return { rows: rowsIn(reply.body), position: String(reply.headers[tablePositionHeader]), text: reply.body }
    },
    stop: prosa.stop,
  }
}
