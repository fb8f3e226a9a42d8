import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Queue } from '@prosa/contracts/http/live-chat'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import { takeOver } from '@prosa/kernel/consumers/engine/epochs'
import { projectionWorker } from '@prosa/kernel/consumers/projections/parking/parked-tenants'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { rebuild } from '@prosa/kernel/consumers/projections/rebuild/rebuild'
import { writeBatch } from '@prosa/kernel/consumers/projections/writing/write-batch'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { positionOf } from '@prosa/kernel/event-store/numeric-position'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { kernelMigrations } from '@prosa/kernel/migrations/kernel-migrations'
import { silentLog } from '@prosa/kernel/observability/log'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { openPool } from '@prosa/kernel/postgres/pool'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { connections } from '@prosa/projections/connections/projection'
import { contactList } from '@prosa/projections/contact-list/projection'
import { countContacts, findContact, findContacts, sortKeyOf } from '@prosa/projections/contact-list/queries'
import {
  countContactsThen,
  findContactsThen,
  findContactThen,
} from '@prosa/projections/contact-list/versions/contacts-then'
import { contactVersions } from '@prosa/projections/contact-list/versions/projection'
import { labels } from '@prosa/projections/labels/projection'
import { seededRandom, wholeBetween } from '../simulation/platform/random.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { quantile } from './measure.ts'
import { processorMs } from './processor-time.ts'
import {
  labelOfYear,
  labelsOfYear,
  lineOfYear,
  linesOfYear,
  personOfYear,
  storeYear,
  tenantOfYear,
} from './year-of-history.ts'

/**
 * Inbox, counts and a contact at random moments of a random year of one tenant. First the past is read and timed; then a second database is rebuilt
 * position by position, and at each moment its current list must say the same. Personal fields encrypted, some people erased. Durable cluster.
 * Arguments: contacts, moments, events. PROSA_BENCH_FOLDER: the cluster stays there for other runs.
 */
const contacts = Number(process.argv[2] ?? 10_000)
const moments = Number(process.argv[3] ?? 1000)
const events = Number(process.argv[4] ?? 1_000_000)
const seed = 30
const limit = 51
const tenant = tenantOfYear
const queues: (Queue | undefined)[] = [undefined, 'waiting', 'bot', 'attending', 'resolved']

const timed = async <Result>(work: () => Promise<Result>) => {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}
const secondsOf = async (work: () => Promise<unknown>) => ((await timed(work)).ms / 1000).toFixed(1)

const reused = process.env.PROSA_BENCH_FOLDER
const folder = reused || (await mkdtemp(join(tmpdir(), 'prosa-bench-')))
const postgres = await startEmbeddedPostgres({ dataDir: folder })
const ended = new AbortController()

const open = async (url: string) => {
  await migrate(url, [eventStoreMigrations, kernelMigrations])
  return openPool(url)
}
const pool = await open(postgres.url)
const store = await postgresEventStore({ url: postgres.url })
const { personal, subjectKeys } = await openPrivacy({
  ...{ pool, writePool: pool, databaseUrl: postgres.url, masterSecret: Buffer.alloc(32, 'year'), log: silentLog() },
  signal: ended.signal,
})
const codec = eventCodec({ personal })
const past = { store, codec, pool }

const headOf = async (): Promise<number> => {
  const { rows } = await pool.query<{ head: string }>('select coalesce(max(position), 0) as head from es.event')
  return Number(rows[0]?.head)
}

const build = async <Row extends object>(projection: Projection<Row>) => {
  const { name, version } = projection
  await prepareReadModel(pool, { ...projection, version: 0 })
  if ((await loadCheckpoint(pool, name, version)) > beginning) return
  const epoch = await takeOver(pool, projectionWorker(name))
  const run = { epoch, status: newStatus(), until: ended.signal, onProgress: () => undefined }
  const deps = { store, codec, pool, log: silentLog(), clock: systemClock }
  const seconds = await secondsOf(async () => {
    if (!(await rebuild(projection, deps, run))) throw new Error(`${name} was not built`)
  })
  await pool.query(withoutTimeout(`vacuum analyze ${projection.table.name}`))
  console.log(`${name} built in ${seconds} s`)
}

interface Asked {
  moment: Position
  queue: Queue | undefined
  label: string | undefined
  connectionId: string | undefined
  contact: string
  isSecondPage: boolean
}

/** What the screens ask: mostly a tab's first page, at times filtered or the second. */
const questionsOf = (head: number): Asked[] => {
  const random = seededRandom(seed + 1)
  return Array.from({ length: moments }, () => ({
    moment: positionOf(wholeBetween(random, 1, head)),
    queue: queues[wholeBetween(random, 0, queues.length - 1)],
    label: random() < 0.1 ? labelOfYear(wholeBetween(random, 0, labelsOfYear - 1)) : undefined,
    connectionId: random() < 0.1 ? lineOfYear(wholeBetween(random, 0, linesOfYear - 1)) : undefined,
    contact: personOfYear(wholeBetween(random, 0, contacts - 1)),
    isSecondPage: random() < 0.1,
  }))
}

type Found = Awaited<ReturnType<typeof findContacts>>
/** Where the second page begins, if it is asked for. */
const nextOf = ({ isSecondPage, queue }: Asked, first: Found) => {
  const last = first[limit - 2]
  if (!isSecondPage || first.length < limit || !last) return undefined
  return { sortKey: sortKeyOf(last, queue), id: last.id }
}

const times: Record<string, number[]> = {}
const processor: Record<string, number> = {}
/** Each question after the other, with what all of this process and PostgreSQL took of the processors. */
const askEach = async <Result>(what: string, questions: readonly Asked[], ask: (asked: Asked) => Promise<Result>) => {
  const before = await processorMs(process.pid)
  const answers: Result[] = []
  const all: number[] = []
  for (const asked of questions) {
    const { ms, result } = await timed(() => ask(asked))
    all.push(ms)
    answers.push(result)
  }
  times[what] = all
  processor[what] = (((await processorMs(process.pid)) ?? 0) - (before ?? 0)) / questions.length
  return answers
}

const askPast = async (questions: readonly Asked[]): Promise<string[]> => {
  const lists = await askEach('list', questions, ({ moment, queue, label, connectionId }) =>
    findContactsThen(past, { tenant, moment, queue, label, connectionId, limit }),
  )
  const counts = await askEach('counts', questions, ({ moment, connectionId }) =>
    countContactsThen(past, { tenant, moment, connectionId }),
  )
  const contacts = await askEach('contact', questions, ({ moment, contact }) =>
    findContactThen(past, tenant, moment, contact),
  )
  const answers: string[] = []
  for (const [index, asked] of questions.entries()) {
    const { moment, queue, label, connectionId, after } = { ...asked, after: nextOf(asked, lists[index] ?? []) }
    const next = after && (await findContactsThen(past, { tenant, moment, queue, label, connectionId, after, limit }))
    answers.push(
      JSON.stringify({
        list: [lists[index], ...(next ? [next] : [])],
        counts: counts[index],
        one: contacts[index] ?? null,
      }),
    )
  }
  return answers
}

const askCurrent = async (on: typeof pool, asked: Asked) => {
  const { queue, label, connectionId, contact } = asked
  const page = (after?: { sortKey: string; id: string }) =>
    findContacts(on, {
      ...{ tenant, limit },
      ...(queue && { queue }),
      ...(label && { label }),
      ...(connectionId && { connectionId }),
      ...(after && { after }),
    })
  const first = await page()
  const after = nextOf(asked, first)
  const counts = await countContacts(on, tenant, connectionId)
  const one = await findContact(on, tenant, contact)
  return JSON.stringify({ list: [first, ...(after ? [await page(after)] : [])], counts, one: one ?? null })
}

/** A database whose read models are written up to any later position. */
const growing = async () => {
  const name = `rebuild_${Date.now()}`
  await pool.query(`create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = name
  const on = await open(url.href)
  const projections = [connections, labels, contactList] as const
  for (const projection of projections) await prepareReadModel(on, projection as Projection<object>)
  const categories = [...new Set(projections.flatMap((each) => each.categories))]
  let reached = beginning
  const write = async (page: readonly Stored[], upTo: Position) => {
    for (const projection of projections as readonly Projection<object>[]) {
      const own = page.filter(({ stream }) =>
        projection.categories.includes(stream.slice(0, stream.indexOf('-')) as never),
      )
      await writeBatch(on, projection, own, reached, upTo)
    }
    reached = upTo
  }
  return {
    on,
    async *upTo(wanted: readonly Position[]) {
      const left = [...wanted]
      for await (const batch of store.readAll(beginning, { categories })) {
        let page = await codec.decode(batch.events)
        for (let next = left[0]; next !== undefined && next <= batch.upTo; next = left[0]) {
          const upTo = next
          if (upTo > reached)
            await write(
              page.filter(({ position }) => position <= upTo),
              upTo,
            )
          page = page.filter(({ position }) => position > upTo)
          left.shift()
          yield upTo
        }
        if (batch.upTo > reached) await write(page, batch.upTo)
        if (left.length === 0) return
      }
    },
    async drop() {
      await on.end()
      await pool.query(`drop database ${name}`)
    },
  }
}

const showTimes = () =>
  console.table(
    Object.entries(times).map(([what, all]) => ({
      what,
      'p50 ms': Number(quantile(all, 0.5).toFixed(1)),
      'p99 ms': Number(quantile(all, 0.99).toFixed(1)),
      'max ms': Number(Math.max(...all).toFixed(1)),
      'processor, mean ms': Number((processor[what] ?? Number.NaN).toFixed(1)),
    })),
  )

/** Where two answers differ, with both values. */
const differences = (expected: unknown, found: unknown, path = ''): string[] => {
  if (isDeepStrictEqual(expected, found)) return []
  const areObjects = [expected, found].every((value) => typeof value === 'object' && value !== null)
  if (!areObjects) return [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`]
  const [one, other] = [expected, found] as [Record<string, unknown>, Record<string, unknown>]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}.${key}`))
}

const compare = async (questions: readonly Asked[], answers: readonly string[]) => {
  const inOrder = questions
    .map((asked, index) => ({ asked, answer: answers[index] ?? '' }))
    .toSorted((one, other) => (one.asked.moment < other.asked.moment ? -1 : 1))
  const rebuilt = await growing()
  let equal = 0
  let index = 0
  for await (const moment of rebuilt.upTo(inOrder.map(({ asked }) => asked.moment))) {
    const { asked, answer } = inOrder[index++] ?? {}
    if (!asked || asked.moment !== moment) throw new Error(`${moment} was not asked`)
    const expected = await askCurrent(rebuilt.on, asked)
    const different = differences(JSON.parse(expected), JSON.parse(answer ?? ''))
    if (different.length === 0) equal += 1
    else console.log(`${JSON.stringify(asked)}: ${different.slice(0, 5).join('; ')}`)
  }
  await rebuilt.drop()
  return equal
}

try {
  if ((await headOf()) === 0) {
    console.log(
      `stored in ${await secondsOf(() => storeYear({ store, codec, subjectKeys }, { contacts, events, seed }))} s`,
    )
    await pool.query(withoutTimeout('vacuum analyze es.event'))
  }
  for (const projection of [connections, labels, contactVersions, contactList] as const)
    await build(projection as unknown as Projection<object>)
  const head = await headOf()
  const { rows } = await pool.query(
    `select (select count(*)::int from contact_version where not is_latest) as versions,
       (select count(*)::int from contact_list) as contacts,
       pg_total_relation_size('contact_version') as bytes`,
  )
  console.log(
    `${head} events, ${rows[0].contacts} contacts, ${rows[0].versions} versions in ${(rows[0].bytes / 1e6).toFixed(0)} MB; load ${loadavg()[0]?.toFixed(1)}`,
  )

  const questions = questionsOf(head)
  const answers = await askPast(questions)
  await askEach('today: list, counts and contact', questions, (asked) => askCurrent(pool, asked))
  showTimes()
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)

  let equal = 0
  const seconds = await secondsOf(async () => {
    equal = await compare(questions, answers)
  })
  console.log(`${equal} of ${moments} moments equal to a rebuild up to them; compared in ${seconds} s`)
  if (equal < moments) process.exitCode = 1
} finally {
  ended.abort()
  await store.close()
  await pool.end()
  await postgres.stop()
  if (!reused) await rm(folder, { recursive: true, force: true })
}
