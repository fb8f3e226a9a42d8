import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Product, startProduct } from './product.ts'
import { Visitor } from './visitor.ts'

const secret = randomBytes(32)
let database: TestPostgres
let attendant: Visitor
beforeAll(async () => {
  database = await testPostgres()
  const product = await startProduct({ database, secret })
  attendant = await new Visitor(product.url).register()
  await attendant.post('/api/quick-replies', { shortcut: 'oi', content: 'Bom dia!' })
  await until(async () => (await quickReplies()).length === 1)
  await product.stop()
}, 60_000)
afterAll(() => database.drop())

const quickReplies = () => attendant.get<unknown[]>('/api/quick-replies')

/** Nobody builds it until the result is called. */
const holdBack = async (readModel: string): Promise<() => void> => {
  const holding = new AbortController()
  const taken = new AbortController()
  const work = async (signal: AbortSignal) => {
    taken.abort()
    if (!signal.aborted) await once(signal, 'abort')
  }
  const ended = exclusively(database.url, `projection ${readModel}`, holding.signal, work, {
    onTrouble: () => undefined,
  })
  onTestFinished(async () => {
    holding.abort()
    await ended
  })
  if (!taken.signal.aborted) await once(taken.signal, 'abort')
  return () => holding.abort()
}

const start = async (): Promise<Product> => {
  const product = await startProduct({ database, secret })
  onTestFinished(() => product.stop())
  attendant.url = product.url
  return product
}

const ready = async ({ url }: Product) => {
  const reply = await fetch(`${url}/health/ready`)
  return { status: reply.status, body: await reply.json() }
}

it('is not ready while the first read models are built over a log, as nothing can be shown yet', async () => {
  await database.pool.query('delete from checkpoint where name in (select name from read_model)')
  const release = await holdBack('quick-replies')
  const product = await start()
  await until(async () => (await ready(product)).body.waitsFor?.join() === 'quick-replies', 30_000)
  expect(await ready(product)).toMatchObject({ status: 503, body: { ready: false, database: true, log: true } })
  expect(await quickReplies()).toEqual([])
  release()
  await until(async () => (await ready(product)).status === 200, 30_000)
  expect((await ready(product)).body.waitsFor).toBeUndefined()
  expect(await quickReplies()).toHaveLength(1)
}, 60_000)

it('is ready during an upgrade: old rows are shown, and a new read model is named in replies', async () => {
  await database.pool.query(`update checkpoint set version = 9999 where name = 'quick-replies'`)
  await database.pool.query(`delete from checkpoint where name = 'labels'`)
  const releases = [await holdBack('quick-replies'), await holdBack('labels')]
  const product = await start()
  await until(async () => (await ready(product)).status === 200, 30_000)
  const versions = `select version from checkpoint where name in ('labels', 'quick-replies') order by name`
  expect((await database.pool.query(versions)).rows).toEqual([{ version: 0 }, { version: 9999 }])
  expect(await quickReplies()).toHaveLength(1)
  const labels = await attendant.ask('GET', '/api/labels')
  expect(labels.headers.get('prosa-not-built-yet')).toBe('labels')
  for (const release of releases) release()
}, 60_000)
