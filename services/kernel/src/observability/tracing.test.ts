import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { deriveId } from '../derive-id.ts'
import { correlated } from './correlation.ts'
import { silentLog } from './log.ts'
import { startTracing, traced, traceIdOf } from './tracing.ts'

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.unknown() })),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }),
})
const request = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
})

const receiver = async () => {
  const bodies: string[] = []
  const server = createServer(async (incoming, reply) => {
    bodies.push(`${incoming.url} ${await text(incoming)}`)
    reply.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const spans = () =>
    bodies.flatMap((body) =>
      request
        .parse(JSON.parse(body.slice(body.indexOf(' '))))
        .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans }
}

it('sends spans of one correlation id as one trace, the inner ones inside, and no message of an error', async () => {
  const { url, bodies, spans } = await receiver()
  const tracing = await startTracing({ endpoint: url, ratio: 1 }, silentLog())
  const [id, other] = [randomUUID(), randomUUID()]
  const inner = () => traced('append', { 'prosa.events': 1 }, async () => 7)
  expect(await correlated(id, () => traced('command A', {}, inner))).toBe(7)
  const failing = traced('command B', {}, () => Promise.reject(new TypeError('a segredo da Ana')), other)
  await expect(failing).rejects.toThrow('segredo')
  await correlated(id, () => traced('elsewhere', {}, async () => undefined, other))
  await tracing.stop()

  expect(bodies.map((body) => body.split(' ')[0])).toEqual(['/v1/traces'])
  const found = new Map(spans().map((each) => [each.name, each]))
  const traceId = id.replaceAll('-', '')
  expect(found.get('command A')).toMatchObject({ traceId })
  expect(found.get('append')).toMatchObject({ traceId, parentSpanId: found.get('command A')?.spanId })
  expect(found.get('command B')).toMatchObject({ traceId: other.replaceAll('-', ''), status: { code: 2 } })
  expect(found.get('elsewhere')).toMatchObject({ traceId: other.replaceAll('-', '') })
  expect(found.get('elsewhere')?.parentSpanId ?? '').toBe('')
  expect(bodies.join()).not.toContain('segredo')
  expect(bodies.join()).toContain('TypeError')
})

it('changes nothing where it is off, or where the collector is away', async () => {
  expect(await traced('a', {}, async () => 1, randomUUID())).toBe(1)
  const lines: string[] = []
  const log = Object.assign(silentLog(), { warn: (line: string) => lines.push(line) })
  const tracing = await startTracing({ endpoint: 'http://127.0.0.1:9', ratio: 1 }, log)
  expect(await traced('a', {}, async () => 2, randomUUID())).toBe(2)
  await tracing.stop()
  expect(await traced('a', {}, async () => 3, randomUUID())).toBe(3)
  expect(lines.length).toBeLessThanOrEqual(1)
})

it('makes a trace id of any correlation id', () => {
  expect(traceIdOf('0B6A2E5C-1111-4222-8333-0123456789AB')).toBe('0b6a2e5c1111422283330123456789ab')
  expect(traceIdOf('anything')).toMatch(/^[0-9a-f]{32}$/)
  expect(traceIdOf('0'.repeat(32))).not.toBe('0'.repeat(32))
})

it('keeps a share of the traces, each of them whole', async () => {
  const { url, spans } = await receiver()
  const tracing = await startTracing({ endpoint: url, ratio: 0.5 }, silentLog())
  for (let index = 0; index < 200; index++)
    for (const name of ['one', 'two']) await traced(name, { index }, async () => undefined, deriveId('sampled', index))
  await tracing.stop()
  const ids = spans().map(({ traceId }) => traceId)
  expect(new Set(ids).size).toBeGreaterThan(50)
  expect(new Set(ids).size).toBeLessThan(150)
  expect(ids).toHaveLength(2 * new Set(ids).size)
})
