import { randomUUID } from 'node:crypto'
import { parkedWork, readModelList } from '@prosa/contracts/http/administration/operations'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Service } from '@prosa/kernel/ports'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { appendRaw, nameContact, namingReactor } from '@prosa/kernel/testing/running-reactor'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { administration } from './administration.ts'

const requests: Projection<{ id: string; rebuildId: string }> = {
  name: 'rebuild-requests',
  version: 3,
  categories: ['readModelRebuild'],
  table: {
    name: 'rebuild_requested',
    key: 'id',
    columns: { id: 'text collate "C"', rebuildId: 'text not null' },
  },
  on: {
    ReadModelRebuildRequested: {
      key: ({ stream }) => stream,
      row: (_, { stream, data: { rebuildId } }) => ({ id: stream, rebuildId }),
    },
  },
}

const [admin, attendant] = [randomUUID(), randomUUID()]
let ports: TestPorts
let running: Host
const seen: string[] = []
const tokens = new Map<string, string>()

beforeAll(async () => {
  ports = await testPorts({ roles: { of: async (userId) => (userId === admin ? ['admin'] : []) } })
  for (const user of [admin, attendant]) tokens.set(user, (await ports.browserSessions.issue(user)).token)
  const reactor = namingReactor('greet-on-contact-named', async (who, name) => void seen.push(`${who} ${name}`))
  const service: Service = {
    name: 'greeter',
    async mount(given) {
      const { run } = await keepReadModels([readModel(requests)], given)
      return { reactors: [reactor], run }
    },
  }
  running = await host([administration, service], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
})
afterAll(async () => {
  await running.stop()
  await ports.close()
})

const askFor = (
  method: 'GET' | 'POST',
  url: string,
  user: string | undefined,
  payload?: object,
  headers: Record<string, string> = {},
) =>
  running.app.inject({
    method,
    url,
    headers: { ...headers, ...(user !== undefined && { cookie: `${sessionCookie}=${tokens.get(user)}` }) },
    ...(payload && { payload }),
  })
const ask = (method: 'GET' | 'POST', path: string, user: string | undefined = admin, payload?: object) =>
  askFor(method, `/api/admin/parked-work${path}`, user, payload)
const listed = async () => z.array(parkedWork).parse((await ask('GET', '')).json())
const park = async (who: string) => {
  await appendRaw(ports.store, `contact-${who}`, { type: 'ContactPainted', data: {} })
  await nameContact(ports.store, who, 'next')
  return until(async () => (await listed()).find(({ waiting, message }) => waiting === 2 && message.includes(who)))
}

describe('parked work', () => {
  it('is shown to administrators, to health, and to nobody else', async () => {
    const work = await park('ana')
    expect(work).toMatchObject({
      worker: 'reactor greet-on-contact-named',
      errorName: 'UndecodableEvent',
      request: null,
    })
    const health = (await running.app.inject('/health/ready')).json()
    expect(health).toMatchObject({ ready: true, trouble: { 'reactor greet-on-contact-named': '1 keys parked' } })

    const attempts = [
      ['GET', ''],
      ['POST', `/${work.id}/retry`],
      ['POST', `/${work.id}/release`],
    ] as const
    for (const [method, path] of attempts) {
      expect((await ask(method, path, attendant, method === 'POST' ? { reason: 'x' } : undefined)).statusCode).toBe(403)
      const visitor = await running.app.inject({ method, url: `/api/admin/parked-work${path}` })
      expect(visitor.statusCode).toBe(401)
    }
    await until(async () => (await everythingIn(ports.store, 'parkedWork')).length > 0)
    expect((await everythingIn(ports.store, 'parkedWork')).map(({ type }) => type)).toEqual(['WorkParked'])
    expect((await listed()).map(({ id, request }) => [id, request])).toEqual([[work.id, null]])
  })

  it('is released for a reason only, which the log keeps with who gave it', async () => {
    const work = await park('bia')
    expect((await ask('POST', `/${work.id}/release`, admin, { reason: ' ' })).statusCode).toBe(422)
    expect((await ask('POST', `/${work.id}/release`, admin, { reason: 'mensagem de teste' })).statusCode).toBe(202)
    await until(() => seen.includes('bia next'))
    await until(async () => !(await listed()).some(({ id }) => id === work.id))
    const recorded = (await everythingIn(ports.store, 'parkedWork')).filter(
      ({ stream }) => stream === `parkedWork-${work.id}`,
    )
    expect(recorded.map(({ type }) => type)).toEqual(['WorkParked', 'WorkReleased', 'WorkResumed'])
    expect(recorded[1]).toMatchObject({
      data: { eventId: work.eventId },
      metadata: { actor: { kind: 'admin', id: admin }, reason: 'mensagem de teste', tenant: null },
    })
  })

  it('is retried, and is parked again where that does not help', async () => {
    const work = await park('caio')
    expect((await ask('POST', `/${work.id}/retry`)).statusCode).toBe(202)
    await until(async () => {
      const recorded = await everythingIn(ports.store, 'parkedWork')
      return (
        recorded.filter(({ stream, type }) => stream === `parkedWork-${work.id}` && type === 'WorkParked').length === 2
      )
    })
    expect((await listed()).find(({ id }) => id === work.id)).toMatchObject({ waiting: 2, eventId: work.eventId })
  })

  it('that does not exist is not found', async () => {
    for (const path of ['retry', 'release'])
      expect((await ask('POST', `/${randomUUID()}/${path}`, admin, { reason: 'x' })).statusCode).toBe(404)
  })
})

describe('read models', () => {
  const path = '/api/admin/read-models'
  const rebuildPath = `${path}/${requests.name}/rebuild`
  const reported = async () => readModelList.parse((await askFor('GET', path, admin)).json())
  const recorded = () => everythingIn(ports.store, 'readModelRebuild')
  const isIdle = () =>
    until(async () => {
      const [report] = (await reported()).readModels
      return report?.state === 'current' && report.rebuiltAt !== null && report
    }, 20_000)

  it('are shown to administrators and to nobody else, who cannot have them rebuilt either', async () => {
    const [report] = await until(async () => {
      const { readModels } = await reported()
      return readModels[0]?.state === 'current' && readModels
    })
    expect(report).toMatchObject({ name: 'rebuild-requests', version: 3, lag: 0, progress: null, parkedTenants: 0 })
    for (const [method, url] of [
      ['GET', path],
      ['POST', rebuildPath],
    ] as const) {
      expect((await askFor(method, url, attendant)).statusCode).toBe(403)
      expect((await askFor(method, url, undefined)).statusCode).toBe(401)
    }
    expect((await askFor('POST', `${path}/no-such/rebuild`, admin)).statusCode).toBe(404)
    expect(await recorded()).toEqual([])
  })

  it('are rebuilt when an administrator asks, once for all who ask meanwhile, and the log has who and why', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const first = () => askFor('POST', rebuildPath, admin, { reason: 'linha estranha' }, key)
    expect((await first()).statusCode).toBe(202)
    const again = await Promise.all([first(), askFor('POST', rebuildPath, admin)])
    expect(again.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    await isIdle()
    const events = await until(async () => {
      const all = await recorded()
      return all.length === 2 && all
    })
    expect(events.map(({ type }) => type)).toEqual(['ReadModelRebuildRequested', 'ReadModelRebuilt'])
    expect(events[0]).toMatchObject({
      stream: 'readModelRebuild-rebuild-requests',
      metadata: { actor: { kind: 'admin', id: admin }, reason: 'linha estranha', tenant: null },
    })
    expect(events[1]?.metadata.causationId).toBe(events[0]?.id)
    const { rows } = await ports.pool.query('select id from rebuild_requested')
    expect(rows).toEqual([{ id: 'readModelRebuild-rebuild-requests' }])

    expect((await first()).statusCode).toBe(202)
    expect(await recorded()).toHaveLength(2)
  })
})
