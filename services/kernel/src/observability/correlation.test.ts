import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginning } from '../event-store/port.ts'
import { type Host, host } from '../host.ts'
import type { Ports, Service } from '../ports.ts'
import { capturedLog } from '../testing/captured-log.ts'
import { namingReactor } from '../testing/running-reactor.ts'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { until } from '../testing/until.ts'

const captured = capturedLog()
let ports: TestPorts
let running: Host

const deepDown = async ({ log }: Ports, words: string) => {
  await delay(1)
  log.info(words)
}

const naming: Service = {
  name: 'naming',
  async mount(given) {
    return {
      routes: async (app) => {
        const onRequest = async () => given.log.info('the headers have come')
        app.post<{ Body: { name: string } }>('/api/names', { onRequest }, async ({ id, body }) => {
          await deepDown(given, `deep in a request`)
          const stream = `contact-${randomUUID()}`
          const metadata = {
            causationId: id,
            correlationId: id,
            actor: { kind: 'system' as const, id: 'test' },
            tenant: 'tenant',
            recordedAt: given.clock.now(),
          }
          const event = { type: 'ContactNamed' as const, data: { name: body.name } }
          const identified = [{ id: randomUUID(), stream, event, metadata }]
          await given.store.append(stream, 'no_stream', await given.codec.encode(identified))
          return {}
        })
      },
      reactors: [
        namingReactor('fail-on-contact-named', async (_, name) => {
          await deepDown(given, 'deep in a reactor')
          throw new Error(`cannot greet ${name}`)
        }),
      ],
    }
  },
}

beforeAll(async () => {
  ports = await testPorts({ log: captured.log })
  running = await host([naming], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
})
afterAll(async () => {
  await running.stop()
  await ports.close()
})

it('one id leads from the reply to the stored event and to every line logged in its course, of ten requests at once', async () => {
  const linesOf = (words: string) => captured.lines().filter(({ msg }) => msg === words)
  const requests = Array.from({ length: 10 }, () => {
    const headers = { 'content-type': 'application/json', origin: running.url }
    const begun = request(`${running.url}/api/names`, { method: 'POST', headers })
    begun.flushHeaders()
    return { begun, replied: once(begun, 'response') as Promise<[IncomingMessage]> }
  })
  await until(() => linesOf('the headers have come').length === 10)
  requests.forEach(({ begun }, index) => {
    begun.end(JSON.stringify({ name: `Pessoa ${index}` }))
  })
  const replies = await Promise.all(requests.map(async ({ replied }) => (await replied)[0].resume()))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200))
  const ids = replies.map(({ headers }) => headers['x-correlation-id']).sort()
  expect(new Set(ids).size).toBe(10)

  const stored = new Map<string, string>()
  for await (const { events } of ports.store.readAll(beginning, { categories: ['contact'] }))
    for (const event of events) stored.set(event.metadata.correlationId, event.id)
  expect([...stored.keys()].sort()).toEqual(ids)

  await until(() => new Set(linesOf('reactor failed').map(({ event }) => event)).size === 10)
  for (const words of ['deep in a request', 'deep in a reactor'])
    expect([...new Set(linesOf(words).map(({ correlationId }) => correlationId))].sort()).toEqual(ids)
  for (const line of linesOf('reactor failed')) expect(line.event).toBe(stored.get(String(line.correlationId)))
  expect(captured.output()).not.toContain('Pessoa')
})
