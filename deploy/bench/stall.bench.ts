import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { codecOf, peopleInFlows } from '../test/people-in-flows.ts'
import { productProcess } from '../test/product-process.ts'
import { Visitor } from '../test/visitor.ts'
import type { Health } from './ask-health.ts'
import * as hostile from './hostile-flows.ts'

/**
 * How long `/health/live` waits (asked every 10 ms) during worst-case input of one tenant, against idle. Arguments: keyword flows in the
 * last row; filter of row names.
 */
const aimMs = 250
const limitMs = Number(process.env.PROSA_STALL_LIMIT_MS ?? 30_000)
const idleMs = 3000
const maxFlows = Number(process.argv[2] ?? 1000)
const wanted = process.argv[3] ?? ''
const replayedRuns = 500

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
const whatsapp = new SandboxServer({ fewPreKeys: true })
await whatsapp.start()
const product = await productProcess(server.url, whatsapp.url)
const asking = fork(join(import.meta.dirname, 'ask-health.ts'), [product.url], { execArgv: ['--import', 'tsx'] })
const pool = openPool(server.url)
const store = await postgresEventStore({ url: server.url })
const stop = new AbortController()

const health = async (): Promise<Health> => {
  asking.send('report')
  const [answer] = await once(asking, 'message')
  return answer
}

/** Waits for consumers, so that earlier work does not count in the next row. */
const settled = () =>
  until(async () => {
    const text = await (await fetch(`${product.url}/metrics`)).text()
    const behind = /^prosa_(?:reactor_lag_positions|reactor_in_flight_events|projection_lag_seconds)\{[^}]*\} (?!0$)/m
    return !behind.test(text)
  }, 120_000)

interface Row {
  tookMs: number
  maxMs: number
  outcome: string
}
const rows: Record<string, Row> = {}

const row = async (name: string, attack: (signal: AbortSignal) => Promise<string>) => {
  if (!name.includes(wanted)) return
  await settled()
  await health()
  const over = new AbortController()
  const began = performance.now()
  const late = delay(limitMs, 'given up', { signal: over.signal })
  const outcome = await Promise.race([attack(over.signal).catch((error: Error) => `failed: ${error.message}`), late])
  const tookMs = performance.now() - began
  over.abort()
  const { maxMs } = await health()
  rows[name] = { tookMs: Math.round(tookMs), maxMs: Math.round(maxMs), outcome }
  console.log(`${name}: ${JSON.stringify(rows[name])}`)
  if (outcome !== 'given up') return
  await product.kill()
  await product.start()
}

const ask = async (visitor: Visitor, method: string, path: string, body: unknown, signal: AbortSignal) => {
  const reply = await fetch(product.url + path, {
    method,
    headers: { cookie: visitor.cookie ?? '', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  })
  const text = await reply.text()
  return { status: reply.status, text, shown: `${reply.status}, ${Math.round(text.length / 1000)} kB` }
}

const runsOf = async (shop: ReturnType<typeof peopleInFlows>, flowId: string, connectionId: string) => {
  const run = async () => {
    const contactId = await shop.person()
    const start = { messageId: randomUUID(), connectionId, sentAt: new Date().toISOString() }
    const text = 'Quero um bolo de fubá. '.repeat(150)
    await shop.record(`chat-${contactId}`, {
      type: 'MessageReceived',
      data: { ...start, content: { kind: 'text', text } },
    })
    const about = { runId: randomUUID(), flowId, version: 1 }
    await shop.record(
      `flowRun-${contactId}`,
      {
        type: 'FlowRunStarted',
        data: { ...about, connectionId, startedBy: 'any_message', startMessageId: start.messageId, text },
      },
      { type: 'FlowStepTaken', data: { ...about, step: 1, nodeId: 'start', type: 'trigger', output: null } },
      { type: 'FlowRunEnded', data: { ...about, endedAt: start.sentAt, reason: 'completed' } },
    )
  }
  for (let count = 0; count < replayedRuns; count += 25) await Promise.all(Array.from({ length: 25 }, run))
  const kept = 'select count(*)::int as count from flow_run_place where flow_id = $1'
  await until(async () => (await pool.query<{ count: number }>(kept, [flowId])).rows[0]?.count === replayedRuns, 60_000)
}

try {
  await once(asking, 'message')
  const codec = await codecOf(pool, server.url, Buffer.from(product.secret, 'hex'), stop.signal)
  const marina = await new Visitor(product.url).register()
  const { id: tenant } = await marina.get<{ id: string }>('/api/auth/user')
  const shop = peopleInFlows({ store, codec }, tenant)
  const { id: flowId } = await marina.post<{ id: string }>('/api/flows', { name: 'Fluxo', folderId: null })
  const contact = { name: 'Ana', isNew: true, labelIds: [] }
  const test = (document: FlowDocument, texts: readonly string[]) => ({
    document,
    inputs: texts.map((text) => ({ kind: 'message', text })),
    contact,
    isOpen: true,
  })

  await row('idle', () => delay(idleMs, '-'))
  await row('test: six messages of 98 kB that end in dots', async (signal) => {
    const body = test(hostile.dotted(), ['oi'])
    return (await ask(marina, 'POST', `/api/flows/${flowId}/test`, body, signal)).shown
  })
  await row('test: 160 messages of {resposta} x 400', async (signal) => {
    const body = test(hostile.repeating(), ['a'.repeat(4096)])
    return (await ask(marina, 'POST', `/api/flows/${flowId}/test`, body, signal)).shown
  })
  await row('test: 150 answers, 190 messages after each', async (signal) => {
    const body = test(
      hostile.endless(),
      Array.from({ length: 150 }, () => 'a'.repeat(4000)),
    )
    return (await ask(marina, 'POST', `/api/flows/${flowId}/test`, body, signal)).shown
  })
  await row('check: 990 heavy patterns', async (signal) => {
    const { shown } = await ask(marina, 'POST', '/api/flows/check', { document: hostile.patterned() }, signal)
    return shown
  })
  await row('check: the largest flow, 3,000 links', async (signal) => {
    const { shown } = await ask(marina, 'POST', '/api/flows/check', { document: hostile.largest('x') }, signal)
    return shown
  })
  await row('import of the largest flow', async (signal) => {
    const body = { name: 'Importado', folderId: null, document: hostile.largest('x') }
    return (await ask(marina, 'POST', '/api/flows', body, signal)).shown
  })
  await row('import: 2 MB of brackets', async (signal) => {
    const body = { name: 'x', folderId: null, document: { nodes: Array.from({ length: 690_000 }, () => []) } }
    return (await ask(marina, 'POST', '/api/flows', body, signal)).shown
  })
  await row('the largest draft saved 20 times', async (signal) => {
    let shown = ''
    for (let basedOn = 0; basedOn < 20; basedOn++) {
      const body = { document: hostile.largest(`x${basedOn}`), basedOn }
      shown = (await ask(marina, 'PUT', `/api/flows/${flowId}/draft`, body, signal)).shown
    }
    return shown
  })
  await row('two largest versions published', async (signal) => {
    const outcomes: number[] = []
    for (let basedOn = 20; basedOn < 22; basedOn++) {
      const body = { document: hostile.largestPublished(`y${basedOn}`), basedOn }
      outcomes.push((await ask(marina, 'PUT', `/api/flows/${flowId}/draft`, body, signal)).status)
      const path = `/api/flows/${flowId}/publish`
      outcomes.push((await ask(marina, 'POST', path, { basedOn: basedOn + 1 }, signal)).status)
    }
    return outcomes.join(', ')
  })
  await row('the two versions compared, ten at once', async (signal) => {
    const read = (version: number) => ask(marina, 'GET', `/api/flows/${flowId}/versions/${version}`, undefined, signal)
    const replies = await Promise.all(Array.from({ length: 10 }, (_, count) => read(1 + (count % 2))))
    return [...new Set(replies.map(({ shown }) => shown))].join('; ')
  })
  const others = await Promise.all(Array.from({ length: 8 }, () => new Visitor(product.url).register()))
  const flowsOfOthers = await Promise.all(
    others.map((other) => other.post<{ id: string }>('/api/flows', { name: 'Fluxo', folderId: null })),
  )
  await row('test: 8 users with 4 requests each at once', async (signal) => {
    const body = test(
      hostile.endless(),
      Array.from({ length: 30 }, () => 'a'.repeat(4000)),
    )
    const asked = others.flatMap((other, index) =>
      Array.from({ length: 4 }, () => ask(other, 'POST', `/api/flows/${flowsOfOthers[index]?.id}/test`, body, signal)),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    return [...new Set(statuses)].map((each) => `${each}: ${statuses.filter((one) => one === each).length}`).join('; ')
  })

  const line = await marina.link(whatsapp.addPhone('5511900000001', 'Padaria Sol'))
  // Replies to past messages are not part of the row.
  await marina.ask('PUT', `/api/flows/${flowId}/on`, { isOn: false })
  await runsOf(shop, flowId, line.id)
  const replay = (document: FlowDocument) => async (signal: AbortSignal) => {
    const body = { document, days: 30 }
    const { status, text, shown } = await ask(marina, 'POST', `/api/flows/${flowId}/replay`, body, signal)
    return `${shown}${status === 200 ? `, ${JSON.parse(text).runs} runs` : ''}`
  }
  await row(`replay over ${replayedRuns} runs`, replay(hostile.started('bolo')))
  await row('replay of a flow of 160 long messages', replay(hostile.talkative()))
  await row('replay of a flow of 990 heavy patterns', replay(hostile.patterned()))

  await shop.flow(hostile.started('fim'))
  const ana = whatsapp.addPhone('5511988776655', 'Ana')
  let flows = 0
  let ends = 0
  for (const count of [10, maxFlows]) {
    for (; flows < count; flows += 10)
      await Promise.all(Array.from({ length: 10 }, () => shop.flow(hostile.keyworded())))
    const on = 'select count(*)::int as count from flow_on where owner = $1'
    const isKnown = async () => ((await pool.query<{ count: number }>(on, [tenant])).rows[0]?.count ?? 0) > flows
    await until(isKnown, 120_000)
    await row(`a message of 65,000 letters, ${flows} flows of 50 keywords`, async () => {
      await ana.sendText('5511900000001', 'a '.repeat(32_500))
      // This flow runs after the long one, so its end marks the end of both.
      await ana.sendText('5511900000001', 'fim')
      ends += 1
      const ran = `select count(*)::int as count from flow_run_place where owner = $1 and flow_id <> $2`
      const hasRun = async () =>
        ((await pool.query<{ count: number }>(ran, [tenant, flowId])).rows[0]?.count ?? 0) >= ends
      await until(hasRun, limitMs)
      return 'looked at'
    })
  }
  await row('idle again', () => delay(idleMs, '-'))

  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, { tookMs, maxMs, outcome }]) => [
        name,
        { 'took ms': tookMs, 'longest without an answer, ms': maxMs, answered: outcome },
      ]),
    ),
  )
  const beyond = Object.values(rows).filter(({ maxMs }) => maxMs > aimMs).length
  console.log(`aim: at most ${aimMs} ms without an answer; ${beyond} of ${Object.keys(rows).length} rows are beyond it`)
} finally {
  stop.abort()
  asking.kill()
  await product.remove()
  await whatsapp.stop()
  await store.close()
  await pool.end()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
