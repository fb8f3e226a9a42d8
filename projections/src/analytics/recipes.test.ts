import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type DuckDb, openDuckDb } from '@prosa/product/parquet/testing/duckdb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { analyticProduct, type Row } from './testing/analytic-product.ts'
import { drawHistory, groupsOf, historyBegins, planted } from './testing/drawn-history.ts'

const clock = { now: '2027-02-01T12:00:00.000Z' }
const history = drawHistory(7, { contacts: 80, accounts: 40 })
const lia = randomUUID()
const hourMs = 3_600_000
/** São Paulo has no summer time since 2019. */
const local = (at: number) => new Date(at - 3 * hourMs)

let product: Awaited<ReturnType<typeof analyticProduct>>
let folder: string
let duckdb: DuckDb
let recipes: Map<string, string>

const fetched = async (path: string, key: string) => {
  const address = product.prosa.app.listeningOrigin
  const reply = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } })
  expect(reply.status).toBe(200)
  return new Uint8Array(await reply.arrayBuffer())
}

beforeAll(async () => {
  product = await analyticProduct(clock)
  await product.registerAnalyst(lia, Date.parse('2026-08-01'))
  for (const each of history.happened) await product.record(each)
  const [{ tenant = '', connections: [line = ''] = [] } = {}] = history.shops
  const online: [number, AnyEvent][] = [
    [0, { type: 'ConnectionAdded', data: { name: planted } }],
    [hourMs, { type: 'LineOpened', data: {} }],
    [30 * hourMs, { type: 'LineDropped', data: { code: 408, reason: 'timeout' } }],
  ]
  for (const [after, event] of online)
    await product.record({
      tenant,
      stream: `connection-${line}`,
      at: historyBegins + after,
      event,
      cause: randomUUID(),
    })
  await product.reached()
  await product.prosa.app.listen({ port: 0, host: '127.0.0.1' })
  const key = await product.analystKeyOf(lia)
  folder = await mkdtemp(join(tmpdir(), 'recipes-'))
  const page = await readFile(new URL('../../../docs/analytics.md', import.meta.url), 'utf8')
  const downloads = [...page.matchAll(/"\$PROSA(\/[^"]+)" -o (\S+)/g)]
  expect(downloads).toHaveLength(4)
  for (const [, path = '', file = ''] of downloads) await writeFile(join(folder, file), await fetched(path, key))
  recipes = new Map(
    [...page.matchAll(/```sql\n-- name: (.+)\n([^`]+)```/g)].map(([, name = '', sql = '']) => [name, sql]),
  )
  duckdb = await openDuckDb()
  const views = (recipes.get('views') ?? '').replaceAll(/'([\w.]+\.(?:parquet|ndjson))'/g, `'${folder}/$1'`)
  for (const statement of views.split(';\n')) if (statement.trim()) await duckdb.query(statement)
}, 120_000)
afterAll(async () => {
  duckdb?.close()
  if (folder) await rm(folder, { recursive: true })
  await product?.stop()
})

/** Numbers of 64 bits come as text. */
const answerOf = async (name: string): Promise<Row[]> => {
  const rows = await duckdb.query(recipes.get(name) ?? '')
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, /^-?\d+$/.test(String(value)) ? Number(value) : value]),
    ),
  )
}

const median = (all: number[]): number | null => {
  const sorted = all.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
const percent = (part: number, of: number) => Math.round((1000 * part) / of) / 10

it('the time to the first answer by hour is what was drawn', async () => {
  const drawn = groupsOf(history.conversations, ({ openedAt }) => local(openedAt).getUTCHours())
    .map(([hour, all]) => {
      const seconds = all.flatMap(({ openedAt, firstPersonAnswerAt: at }) =>
        at === null ? [] : [Math.round((at - openedAt) / 1000)],
      )
      return { hour, conversations: all.length, answered: seconds.length, medianSeconds: median(seconds) }
    })
    .sort((one, other) => one.hour - other.hour)
  expect(await answerOf('first answer by hour')).toEqual(drawn)
  expect(drawn.length).toBeGreaterThan(12)
})

it('the funnel of each flow is what was drawn', async () => {
  const drawn = groupsOf(history.runs, ({ flowId }) => flowId).map(([, runs]) =>
    [1, 2, 3, 4].map((step) => {
      const reached = runs.filter(({ steps }) => steps >= step).length
      return { step, runs: reached, percent: percent(reached, runs.length) }
    }),
  )
  const found = groupsOf(await answerOf('funnel'), ({ flow }) => flow).map(([, steps]) =>
    steps.map(({ step, runs, percent }) => ({ step, runs, percent })),
  )
  const sorted = (all: unknown[]) => all.map((each) => JSON.stringify(each)).sort()
  expect(sorted(found)).toEqual(sorted(drawn))
  expect(drawn).toHaveLength(2)
})

it('churn by month is what was drawn', async () => {
  const paid = history.accounts.flatMap(({ paidUntil }) =>
    paidUntil.length === 0 ? [] : [{ from: (paidUntil[0] ?? 0) - 30 * 24 * hourMs, until: paidUntil.at(-1) ?? 0 }],
  )
  const drawn = [9, 10, 11, 12].flatMap((month) => {
    const [begin, end] = [Date.UTC(2026, month, 1, 3), Date.UTC(2026, month + 1, 1, 3)]
    const paying = paid.filter(({ from, until }) => from <= begin && until > begin)
    const lost = paying.filter(({ until }) => until < end).length
    if (paying.length === 0) return []
    const name = local(begin).toISOString().slice(0, 7)
    return [{ month: name, paying: paying.length, lost, churnPercent: percent(lost, paying.length) }]
  })
  expect(await answerOf('churn')).toEqual(drawn)
  expect(drawn.some(({ lost, paying }) => lost > 0 && lost < paying)).toBe(true)
})

it('the busiest lines are those drawn, in order', async () => {
  const isWritten = (type: string) => ['MessageReceived', 'MessageQueued', 'MessageSentElsewhere'].includes(type)
  const written = history.happened.filter(({ event }) => isWritten(event.type))
  const drawn = groupsOf(written, ({ event }) => (event.data as { connectionId: string }).connectionId)
    .map(([, all]) => ({
      messages: all.length,
      received: all.filter(({ event }) => event.type === 'MessageReceived').length,
      people: new Set(all.map(({ stream }) => stream)).size,
    }))
    .sort((one, other) => other.messages - one.messages)
  const found = await answerOf('busiest lines')
  expect(found.map(({ messages }) => messages)).toEqual(drawn.map(({ messages }) => messages))
  const sorted = (all: Row[]) => all.map(({ messages, received, people }) => `${messages} ${received} ${people}`).sort()
  expect(sorted(found)).toEqual(sorted(drawn))
  expect(drawn).toHaveLength(5)
})

it('conversations that were opened again are those drawn', async () => {
  const resolved = history.conversations.filter(({ resolvedAt }) => resolvedAt !== null)
  const handledBy = ({ sentByPerson, sentByRule }: (typeof resolved)[number]) =>
    sentByPerson > 0 ? (sentByRule > 0 ? 'both' : 'person') : sentByRule > 0 ? 'flow' : 'nobody'
  const drawn = groupsOf(resolved, handledBy)
    .map(([by, all]) => ({
      handledBy: by,
      resolved: all.length,
      reopened: all.filter(
        ({ resolvedAt, reopenedAt }) => reopenedAt !== null && reopenedAt < (resolvedAt ?? 0) + 24 * hourMs,
      ).length,
    }))
    .sort((one, other) => (one.handledBy < other.handledBy ? -1 : 1))
  expect(await answerOf('reopened')).toEqual(drawn)
  expect(drawn.some(({ reopened, resolved: of }) => reopened > 0 && reopened < of)).toBe(true)
})

it('a table is the same in all three formats', async () => {
  const key = await product.analystKeyOf(lia)
  await duckdb.query(`set timezone = 'UTC'`)
  for (const table of ['conversations', 'messages', 'subscriptions', 'connections']) {
    for (const format of ['ndjson', 'csv', 'parquet'])
      await writeFile(
        join(folder, `${table}.${format}`),
        await fetched(`/api/streams/tables/${table}?format=${format}`, key),
      )
    const columns = (await duckdb.query(`describe from '${folder}/${table}.parquet'`)).map(
      ({ column_name }) => column_name,
    )
    const text = (source: string) =>
      duckdb.query(
        `select ${columns
          .map((name) => (/(At|from)$/.test(String(name)) ? `epoch_ms("${name}"::timestamptz)` : `"${name}"`))
          .map((name, index) => `${name}::varchar as "${columns[index]}"`)
          .join(', ')} from ${source} order by all`,
      )
    const parquet = await text(`'${folder}/${table}.parquet'`)
    expect(await text(`read_ndjson('${folder}/${table}.ndjson', sample_size = -1)`), table).toEqual(parquet)
    expect(await text(`read_csv('${folder}/${table}.csv', all_varchar = true)`), table).toEqual(parquet)
    expect(parquet.length).toBeGreaterThan(20)
  }
})
