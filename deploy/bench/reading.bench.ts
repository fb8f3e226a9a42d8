import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MessageFound } from '@prosa/contracts/http/live-chat'
import { allCheckpoints } from '@prosa/kernel/consumers/engine/checkpoints'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import { until } from '@prosa/kernel/testing/until'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { Visitor } from '../test/visitor.ts'
import { contactIdOf, storeHistory } from './reading-log.ts'

/**
 * Inbox, chat and search of a tenant with a long history that the product projected. 8 callers without ETags, against a bare route. Rounds
 * alternate; medians.
 */
const messages = Number(process.argv[2] ?? 500_000)
const contacts = Math.max(100, Math.floor(messages / 50))
const callers = 8
const rounds = 5
const roundMs = 2000

let state = 20_261_121
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const syllables = ['ba', 'ca', 'de', 'fo', 'ga', 'li', 'ma', 'no', 'pe', 'qui', 'ra', 'são', 'te', 'vi', 'xá', 'zu']
const wordOf = (number: number): string => {
  let word = ''
  for (let rest = number + 256; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16]
  return word
}
/** Zipf distribution. */
const someWord = () => wordOf(Math.floor(20_000 ** (random(1_000_000) / 1_000_000)))

const common = Array.from({ length: 10 }, (_, index) => wordOf(1 + index))
const middling = Array.from({ length: 50 }, (_, index) => wordOf(100 + index))
const rareEvery = 4999
const rare = Array.from({ length: 20 }, (_, index) => `raridade${index}`)

const textOf = (message: number): string => {
  const words = Array.from({ length: 4 + random(12) }, someWord)
  if (message % rareEvery === 0) words.push(rare[(message / rareEvery) % rare.length] ?? '')
  return words.join(' ')
}

const one = (values: readonly string[]) => values[random(values.length)] ?? ''
const search = (query: string) => `/api/whatsapp/search?q=${encodeURIComponent(query)}`
const cases: Record<string, () => string> = {
  'contact list, first page': () => '/api/whatsapp/contacts?status=waiting',
  'messages of a chat, latest page': () => `/api/whatsapp/contacts/${contactIdOf(random(contacts))}/messages`,
  'messages of the longest chat': () => `/api/whatsapp/contacts/${contactIdOf(0)}/messages`,
  'search: a rare word': () => search(one(rare)),
  'search: a common word': () => search(one(common)),
  'search: two words': () => search(`${one(common)} ${one(middling)}`),
  'search: a beginning of 3 letters': () => search(one(middling).slice(0, 3)),
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const agent = new Agent({ keepAlive: true, maxSockets: callers })
const ask = (url: string, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (reply) => {
      reply.resume()
      reply.on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${reply.statusCode}`))))
    }).on('error', reject)
  })

const measure = async (addressOf: () => string, headers: Record<string, string>) => {
  const delays: number[] = []
  const began = performance.now()
  const call = async () => {
    while (performance.now() < began + roundMs) {
      const asked = performance.now()
      await ask(addressOf(), headers)
      delays.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return { delays, rate: delays.length / ((performance.now() - began) / 1000) }
}

const startServer = async (databaseUrl: string) => {
  const server = fork(join(import.meta.dirname, 'poll-server.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  const [urls] = (await once(server, 'message')) as [{ product: string; bare: string }]
  return { server, urls }
}
const stopServer = async (server: ChildProcess) => {
  server.disconnect()
  await once(server, 'exit')
}

const rested = async (server: ChildProcess) => {
  const used = async () => {
    server.send('used')
    const [microseconds] = await once(server, 'message')
    return Number(microseconds)
  }
  for (let before = await used(); ; ) {
    await delay(1000)
    const now = await used()
    if (now - before < 100_000) return
    before = now
  }
}

const readModels = ['contact-list', 'chat-messages', 'message-search']

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const first = await startServer(postgres.url)
  const visitor = await new Visitor(first.urls.product).register()
  const { id: tenant } = await visitor.get<{ id: string }>('/api/auth/user')
  await stopServer(first.server)

  const ports = await openPorts({
    databaseUrl: postgres.url,
    masterSecret: Buffer.alloc(32, 7),
    log: silentLog(),
    readSide,
    services: [],
  })
  const beganStoring = performance.now()
  await storeHistory(ports, { tenant, contacts, messages, textOf })
  const stored = performance.now() - beganStoring
  // Version 0 makes the product rebuild them.
  await ports.pool.query('update checkpoint set version = 0 where name = any($1)', [readModels])
  await ports.close()

  const beganProjecting = performance.now()
  const { server, urls } = await startServer(postgres.url)
  const pool = openPool(postgres.url)
  await until(async () => {
    const checkpoints = (await allCheckpoints(pool)).filter(({ name }) => readModels.includes(name))
    return checkpoints.length === readModels.length && checkpoints.every(({ version }) => version > 0)
  }, 3_600_000)
  const projected = performance.now() - beganProjecting
  await rested(server)
  await pool.query(withoutTimeout('vacuum analyze'))
  await pool.end()

  const headers = { cookie: visitor.cookie ?? '', accept: 'application/json' }
  const reader = new Visitor(urls.product)
  reader.cookie = visitor.cookie
  for (const word of [rare[0], common[0]])
    if ((await reader.get<MessageFound[]>(search(word ?? ''))).length === 0) throw new Error(`${word} was not found`)

  const bare = () => urls.bare
  const runs = Object.entries(cases).map(([name, pathOf]) => ({
    name,
    addressOf: () => urls.product + pathOf(),
    rates: [] as number[],
    ratios: [] as number[],
    delays: [] as number[],
  }))
  const bareRates: number[] = []
  const bareDelays: number[] = []
  for (const { addressOf } of runs) await measure(addressOf, headers)
  for (let round = 0; round < rounds; round++)
    for (const run of runs) {
      const reference = await measure(bare, {})
      bareRates.push(reference.rate)
      bareDelays.push(...reference.delays)
      const { rate, delays } = await measure(run.addressOf, headers)
      run.rates.push(rate)
      run.ratios.push(rate / reference.rate)
      run.delays.push(...delays)
    }

  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  console.log(
    `${messages} messages in ${contacts} chats, ${messages / 10} of them in one; stored in ${seconds(stored)}, ` +
      `projected in ${seconds(projected)}; node ${process.version}, ${callers} callers`,
  )
  const results = (rates: number[], delays: number[], ratios: number[]) => ({
    'p50 ms': Number(quantile(delays, 0.5).toFixed(2)),
    'p99 ms': Number(quantile(delays, 0.99).toFixed(2)),
    'replies /s': Math.round(median(rates)),
    'times bare': Number(median(ratios).toFixed(3)),
  })
  console.table({
    'bare Fastify': results(bareRates, bareDelays, [1]),
    ...Object.fromEntries(runs.map(({ name, rates, delays, ratios }) => [name, results(rates, delays, ratios)])),
  })
  await stopServer(server)
} finally {
  agent.destroy()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
