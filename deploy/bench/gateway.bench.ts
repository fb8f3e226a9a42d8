import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionTokenHeader } from '@prosa/kernel/http/authentication/session-token'
import { until } from '@prosa/kernel/testing/until'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { type ClusteredProduct, startClusteredProduct } from '../test/clustered-product.ts'
import { type Measured, measure, median } from './measure.ts'
import { processorMs } from './processor-time.ts'

/**
 * What the gateway costs a request, and its question to identity (`forward_auth`): the list of contacts, asked at the process that has it and
 * through Caddy, by a visitor (401, nobody is asked) and by a session. Rounds alternate; medians.
 */
const rounds = 7
const roundMs = 2000
const callerCounts = [1, 16]
const path = '/api/whatsapp/contacts?status=waiting'

interface Asked {
  name: string
  url: string
  status: 200 | 401
  headers: Record<string, string>
}

const asks =
  ({ url, status, headers }: Asked) =>
  () =>
  async () => {
    const reply = await fetch(url + path, { headers })
    await reply.arrayBuffer()
    if (reply.status !== status) throw new Error(`${url}: ${reply.status}, not ${status}`)
  }

const tokenOf = async (identityUrl: string, cookie: string): Promise<string> => {
  const { headers } = await fetch(`${identityUrl}/internal/authenticate`, { headers: { cookie } })
  return headers.get(sessionTokenHeader) ?? ''
}

const partsOf = (product: ClusteredProduct) => {
  const pidsOf = (name: string) => [
    ...product.processes().flatMap((each) => (each.name === name ? (each.pid ?? []) : [])),
    ...product.beside().flatMap(({ id, pid }) => (id === name ? (pid ?? []) : [])),
  ]
  return { caddy: pidsOf('caddy'), identity: pidsOf('identity'), projections: pidsOf('projections') }
}

type Part = keyof ReturnType<typeof partsOf>
type Run = Measured & { name: string; callers: number; microseconds: Record<Part, number> }

const usedBy = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(processorMs))).reduce<number>((sum, ms) => sum + (ms ?? Number.NaN), 0)

const usage = async (product: ClusteredProduct): Promise<Record<Part, number>> => {
  const { caddy, identity, projections } = partsOf(product)
  return { caddy: await usedBy(caddy), identity: await usedBy(identity), projections: await usedBy(projections) }
}

const measureOnce = async (product: ClusteredProduct, asked: Asked, callers: number): Promise<Run> => {
  const before = await usage(product)
  const measured = await measure(callers, roundMs, asks(asked))
  const after = await usage(product)
  const requests = (measured.rate * roundMs) / 1000
  const each = (part: Part) => ((after[part] - before[part]) * 1000) / requests
  const microseconds = { caddy: each('caddy'), identity: each('identity'), projections: each('projections') }
  return { ...measured, name: asked.name, callers, microseconds }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir, maxConnections: 300 })
const product = await startClusteredProduct({ database: postgres })
try {
  const [gateway] = product.beside()
  if (gateway?.id !== 'caddy') throw new Error('needs Caddy')
  const visitor = await product.visitor().register()
  const cookie = visitor.cookie ?? ''
  for (let index = 0; index < 10; index++)
    await visitor.post('/api/whatsapp/contacts', { phone: `55119${String(80_000_000 + index)}` })
  await until(async () => (await visitor.contacts('waiting')).length === 10)
  const addressOf = (name: string) => product.processes().find((each) => each.name === name)?.url ?? ''
  const urls = { projections: addressOf('projections'), caddy: product.url.replace('localhost', '127.0.0.1') }
  const kinds = async (): Promise<Asked[]> => {
    const token = await tokenOf(addressOf('identity'), cookie)
    return [
      { name: 'visitor, direct', url: urls.projections, status: 401, headers: {} },
      { name: 'visitor, through Caddy', url: urls.caddy, status: 401, headers: {} },
      {
        name: 'session, direct with a token',
        url: urls.projections,
        status: 200,
        headers: { [sessionTokenHeader]: token },
      },
      { name: 'session, through Caddy, which asks identity', url: urls.caddy, status: 200, headers: { cookie } },
    ]
  }
  const runs: Run[] = []
  for (let round = -1; round < rounds; round++)
    for (const callers of callerCounts)
      for (const asked of await kinds()) {
        const run = await measureOnce(product, asked, callers)
        if (round >= 0) runs.push(run)
      }
  console.log(`Load ${loadavg()[0]}, node ${process.version}, ${rounds} rounds of ${roundMs} ms each`)
  const figures = (of: readonly Run[]) => ({
    'per second': Math.round(median(of.map(({ rate }) => rate))),
    'p50 ms': Number(median(of.map(({ p50 }) => p50)).toFixed(2)),
    'p99 ms': Number(median(of.map(({ p99 }) => p99)).toFixed(2)),
    'Caddy µs': Math.round(median(of.map(({ microseconds }) => microseconds.caddy))),
    'identity µs': Math.round(median(of.map(({ microseconds }) => microseconds.identity))),
    'projections µs': Math.round(median(of.map(({ microseconds }) => microseconds.projections))),
  })
  const names = (await kinds()).map(({ name }) => name)
  console.table(
    callerCounts.flatMap((callers) =>
      names.map((name) => ({
        callers,
        name,
        ...figures(runs.filter((run) => run.name === name && run.callers === callers)),
      })),
    ),
  )
} finally {
  await product.stop()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
