import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Host, host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/kernel/testing/test-ports'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { automation } from '../automation.ts'
import { findLink } from './queries.ts'

let ports: TestPorts
let running: Host
beforeAll(async () => {
  ports = await testPorts({ migrations: [...(automation.migrations ? [automation.migrations] : [])] })
  running = await host([automation], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 100 })
})
afterAll(async () => {
  await running.stop()
  await ports.close()
})

const owner = randomUUID()

const record = async (stream: string, event: AnyEvent) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const metadata = {
    ...{ causationId: 'test', correlationId: 'test', owner, recordedAt: ports.clock.now() },
    actor: { kind: 'system', id: 'test' } as const,
  }
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  const appended = await ports.store.append(stream, revision, encoded)
  if (!appended.ok) throw new Error('not appended')
}

/** A message of a flow with this link, once it is known here. */
const sent = async (url = 'https://padaria.example/menu?dia=hoje') => {
  const [contactId, token] = [randomUUID(), randomUUID().replaceAll('-', '').slice(0, 20)]
  const step = { runId: randomUUID(), flowId: randomUUID(), version: 1, step: 2, nodeId: 'n1' }
  await record(`flowRun-${contactId}`, {
    type: 'FlowMessageRequested',
    data: {
      ...{ ...step, messageId: `3EB0${token.toUpperCase()}`, connectionId: randomUUID(), typingSeconds: 0 },
      content: { kind: 'text', text: url },
      links: [
        { token: `${token}x`, url: 'https://outra.example/' },
        { token, url },
      ],
    },
  })
  await until(() => findLink(ports.pool, token))
  const opened = async () =>
    (await everythingIn(ports.store, 'flowRun')).filter(
      ({ type, stream }) => type === 'FlowLinkOpened' && stream === `flowRun-${contactId}`,
    )
  return { contactId, token, step, opened }
}

const open = (token: string, userAgent = 'Mozilla/5.0 (Linux; Android 15)', method: 'GET' | 'HEAD' = 'GET') =>
  running.app.inject({ method, url: `/r/${token}`, headers: { 'user-agent': userAgent } })

describe('a link of a flow', () => {
  it('leads where the flow’s message did, and its opening counts once for each token', async () => {
    const { token, step, opened } = await sent()
    const replies = await Promise.all([open(token), open(token)])
    replies.push(await open(token))
    expect(replies.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual(
      Array.from({ length: 3 }, () => [302, 'https://padaria.example/menu?dia=hoje']),
    )
    const { runId, flowId, version, nodeId } = step
    expect(await opened()).toMatchObject([
      { data: { runId, flowId, version, nodeId, token }, metadata: { owner, actor: { kind: 'system' } } },
    ])
    await open(`${token}x`)
    expect(await opened()).toHaveLength(2)
  })

  it('is not counted when a program looks at it to show a preview', async () => {
    const { token, opened } = await sent()
    const seen = [
      await open(token, 'WhatsApp/2.24.10 A'),
      await open(token, 'facebookexternalhit/1.1'),
      await open(token, undefined, 'HEAD'),
    ]
    expect(seen.map(({ statusCode }) => statusCode)).toEqual([302, 302, 302])
    expect(await opened()).toEqual([])
  })

  it.each(['javascript:alert(1)', 'data:text/html,oi', 'ftp://padaria.example/', 'nada'])(
    'leads nowhere but to the web: %s',
    async (url) => {
      const { token, opened } = await sent(url)
      const { statusCode, headers } = await open(token)
      expect([statusCode, headers.location, await opened()]).toEqual([404, undefined, []])
    },
  )

  it.each([randomUUID(), 'curto', '%00', '..%2f..', 'a'.repeat(90)])(
    'that nobody sent is a friendly page: %s',
    async (token) => {
      const { statusCode, headers, body } = await open(token)
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('Este link não leva mais a lugar nenhum')
    },
  )

  it('ends with its contact', async () => {
    const { contactId, token } = await sent()
    await record(`contact-${contactId}`, { type: 'ContactErased', data: {} })
    await until(async () => (await open(token)).statusCode === 404)
  })
})
