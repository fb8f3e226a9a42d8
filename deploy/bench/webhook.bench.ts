import { type ChildProcess, fork } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { median } from './measure.ts'
import { paced } from './paced.ts'

/**
 * A Kiwify delivery until it is in the log on disk, against bare Fastify that verifies the same HMAC; 200 a second. Rounds alternate;
 * medians.
 */
const rounds = 5
const perSecond = 200
const seconds = 8
const token = 'bench'

const bodyOf = () =>
  JSON.stringify({
    order_id: randomUUID(),
    order_ref: 'aBcDeF1',
    webhook_event_type: 'order_approved',
    subscription_id: randomUUID(),
    created_at: '2026-06-08 11:53',
    approved_date: '2026-06-08 11:53',
    Product: { product_id: randomUUID(), product_name: 'Plano Profissional' },
    Customer: { full_name: 'Ana Exemplo', email: `${randomUUID()}@example.com`, CPF: '00000000001' },
    Commissions: { charge_amount: 9700 },
    // As long as a real delivery: 2.6 kB.
    custom_fields: 'x'.repeat(2000),
  })

/** Keep-alive leaves out handshakes. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Undefined unless the status is 200. */
const deliver = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const body = bodyOf()
    const signature = createHmac('sha1', token).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const began = performance.now()
    const sent = request(`${url}?signature=${signature}`, { method: 'POST', agent, headers }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(reply.statusCode === 200 ? performance.now() - began : undefined))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const measure = async (url: string) => {
  const answers: Promise<number | undefined>[] = []
  await paced(perSecond, seconds, () => {
    const answer = deliver(url)
    answer.catch(() => undefined)
    answers.push(answer)
  })
  const all = await Promise.all(answers)
  const times = all.filter((time) => time !== undefined).toSorted((a, b) => a - b)
  const quantile = (q: number) => times[Math.floor(times.length * q)] ?? Number.NaN
  return { p50: quantile(0.5), p99: quantile(0.99), refused: all.length - times.length }
}

const children: ChildProcess[] = []
const started = async (program: string, databaseUrl: string): Promise<string> => {
  const child = fork(join(import.meta.dirname, program), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: databaseUrl, PROSA_KIWIFY_APPROVED_TOKENS: token },
  })
  children.push(child)
  const [url] = (await once(child, 'message')) as [string]
  return `${url}/kiwify/payment/approved`
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const bare = await started('bare-webhook.ts', postgres.url)
  const product = await started('webhook-server.ts', postgres.url)
  for (const url of [bare, product]) await measure(url)
  const runs: Record<'bare' | 'product', Awaited<ReturnType<typeof measure>>>[] = []
  for (let round = 0; round < rounds; round++) runs.push({ bare: await measure(bare), product: await measure(product) })
  const of = (name: 'bare' | 'product', quantile: 'p50' | 'p99') => ({
    ms: Number(median(runs.map((run) => run[name][quantile])).toFixed(2)),
    ratio: Number(median(runs.map((run) => run[name][quantile] / run.bare[quantile])).toFixed(2)),
  })
  const row = (name: 'bare' | 'product') => {
    const [p50, p99] = [of(name, 'p50'), of(name, 'p99')]
    return {
      'p50 ms': p50.ms,
      'p99 ms': p99.ms,
      'p50 / bare': p50.ratio,
      'p99 / bare': p99.ratio,
      'not 200': runs.reduce((sum, run) => sum + run[name].refused, 0),
    }
  }
  console.log(
    `Answers to deliveries, ${perSecond} a second, ${rounds} rounds of ${seconds} s each; node ${process.version}`,
  )
  console.table({ 'bare Fastify, same HMAC': row('bare'), 'Prosa, stored': row('product') })
} finally {
  agent.destroy()
  for (const child of children) {
    if (child.exitCode !== null) continue
    child.disconnect()
    await once(child, 'exit')
  }
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
