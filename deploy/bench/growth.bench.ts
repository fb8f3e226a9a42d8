import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { userSubject } from '@prosa/contracts/events/subjects'
import { freePort } from '@prosa/kernel/free-port'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import { until } from '@prosa/kernel/testing/until'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { sessionHandlers } from '@prosa/sessions/handlers'
import type { Pool } from 'pg'
import { allServices } from '../src/all-services.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { Visitor } from '../test/visitor.ts'
import type { BusyStream } from './busy-stream-process.ts'
import type { FirstCommand } from './first-command-process.ts'
import { copyLine, growLine } from './grown-line.ts'
import { eventStoreUrl, logEnvironment } from './measured-log.ts'
import type { MemoryReport } from './report-memory.ts'

/**
 * Cost of long streams: start with many lines; first command with and without a snapshot; commands without pause, with saves and with
 * failing saves. With EVENTSTORE_URL the log is in an EventStoreDB. Arguments: events of the longest stream, numbers, events of each, events of the busy stream.
 */
const longest = Number(process.argv[2] ?? 1_000_000)
const numbers = Number(process.argv[3] ?? 50)
const eventsOfEach = Number(process.argv[4] ?? 100_000)
const eventsOfBusy = Number(process.argv[5] ?? 50_000)
const busyLengths = [1000, 5000, 10_000, 20_000, 50_000].filter((length) => length <= eventsOfBusy)
const lengths = [1000, 10_000, 100_000, 1_000_000].filter((length) => length <= longest)
const rounds = 9
const connectionsPerTenant = 17
const loadedAtOnce = 4
/** Limit: with growing cost per command a busy stream would never end. */
const busySeconds = 900
const aims = { ms: 50, times: 3, seconds: 10, busyTimes: 1.5 }

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-growth-'))
// As root, data in a closed folder would be moved elsewhere and stay.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const network = new SandboxServer({ fewPreKeys: true })
await network.start()
const secret = randomBytes(32)
const execArgv = ['--import', 'tsx']
const running: ChildProcess[] = []

const started = (file: string, argument: string[], env: NodeJS.ProcessEnv = {}, args: string[] = []) => {
  const child = fork(join(import.meta.dirname, file), argument, {
    execArgv: [...args, ...execArgv],
    env: { PATH: process.env.PATH, ...logEnvironment, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  running.push(child)
  return child
}

const received = async <T>(child: ChildProcess): Promise<T> => {
  const over = new AbortController()
  const gone = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`a process ended with ${code}`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: over.signal }), gone])
    return message as T
  } finally {
    over.abort()
    gone.catch(() => undefined)
  }
}

const firstCommand = async (connectionId: string, tenant: string) => {
  const argument = [postgres.url, secret.toString('hex'), connectionId, tenant]
  const child = started('first-command-process.ts', argument)
  const ended = once(child, 'exit')
  const measured = await received<FirstCommand>(child)
  await ended
  return measured
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
const secondsSince = (began: number) => (performance.now() - began) / 1000

const services = allServices(readConfig('development', {}))
const openHere = () =>
  openPorts({ databaseUrl: postgres.url, masterSecret: secret, log: silentLog(), readSide, services, eventStoreUrl })

const measureFirstCommands = async () => {
  const tenant = randomUUID()
  const streams = lengths.map((length) => ({ length, connectionId: randomUUID() }))
  const ports = await openHere()
  for (const { length, connectionId } of streams) await growLine(ports, { connectionId, tenant, events: length })
  await ports.pool.query(withoutTimeout('vacuum analyze'))
  await ports.store.close()
  await ports.close()

  const rows: Record<string, number>[] = []
  for (const { length, connectionId } of streams) {
    const unsaved = await firstCommand(connectionId, tenant)
    rows.push({ events: length, 'without a snapshot, once, ms': Math.round(unsaved.ms) })
  }
  const measured = new Map<number, FirstCommand[]>(lengths.map((length) => [length, []]))
  for (let round = 0; round < rounds; round++)
    for (const { length, connectionId } of streams) measured.get(length)?.push(await firstCommand(connectionId, tenant))
  const medians = lengths.map((length) => median(measured.get(length)?.map(({ ms }) => ms) ?? []))
  console.log(`First command of a new process, ${rounds} processes for each length in turns; node ${process.version}`)
  console.table(
    rows.map((row, index) => {
      const all = measured.get(lengths[index] ?? 0) ?? []
      return {
        ...row,
        'median ms': Number((medians[index] ?? 0).toFixed(1)),
        'a new line, ms': Number(median(all.map(({ newLine }) => newLine)).toFixed(1)),
        'slowest ms': Number(Math.max(...all.map(({ ms }) => ms)).toFixed(1)),
        'times the shortest': Number(((medians[index] ?? 0) / (medians[0] ?? 0)).toFixed(2)),
        'heap MB': megabytes(median(all.map(({ heapUsed }) => heapUsed))),
        'RSS MB': megabytes(median(all.map(({ rss }) => rss))),
      }
    }),
  )
  const times = Math.max(...medians) / (medians[0] ?? Number.NaN)
  console.log(
    `longest ${Math.max(...medians).toFixed(1)} ms (aim: at most ${aims.ms}), ${times.toFixed(2)} times the shortest (aim: at most ${aims.times})`,
  )
}

/** Renames the tables of snapshots: every save fails. */
const withoutSaving = async (work: () => Promise<void>) => {
  const pool = openPool(postgres.url)
  try {
    await pool.query('alter table stream_entry rename to stream_entry_gone')
    await work()
    await pool.query('alter table stream_entry_gone rename to stream_entry')
  } finally {
    await pool.end()
  }
}

const measureBusyStream = async (what: string) => {
  const [connectionId, tenant] = [randomUUID(), randomUUID()]
  const ports = await openHere()
  await ports.subjectKeys.toEncrypt([userSubject(tenant)])
  await ports.store.close()
  await ports.close()
  const about = [connectionId, tenant, busyLengths.join(','), String(busySeconds)]
  const began = performance.now()
  const child = started('busy-stream-process.ts', [postgres.url, secret.toString('hex'), ...about])
  const found = await received<BusyStream[]>(child)
  const first = found[0]?.microseconds ?? Number.NaN
  console.log(`\nCommands without a pause to one line, ${what}; ${secondsSince(began).toFixed(0)} s`)
  console.table(
    found.map(({ events, microseconds }) => ({
      events,
      'processor time of a command, us': microseconds,
      'times the first': Number((microseconds / first).toFixed(2)),
    })),
  )
  const last = found.at(-1)
  if (!last || last.events !== busyLengths.at(-1)) return console.log(`given up after ${busySeconds} s`)
  const times = (last.microseconds / first).toFixed(2)
  console.log(`${times} times at ${last.events} events (aim: at most ${aims.busyTimes})`)
}

const measureBusyStreams = async () => {
  await measureBusyStream('saved as it grows')
  await withoutSaving(() => measureBusyStream('no save succeeds'))
}

const port = await freePort()
const startProduct = () =>
  started(
    '../test/host-process.ts',
    [],
    {
      DATABASE_URL: postgres.url,
      WA_WEBSOCKET_URL: network.url,
      PROSA_PORT: String(port),
      PROSA_SECRET: secret.toString('hex'),
      PROSA_FILES_DIR: join(folder, 'files'),
      LOG_LEVEL: 'fatal',
    },
    ['--expose-gc', '--import', 'tsx', '--import', join(import.meta.dirname, 'report-memory.ts')],
  )
const stopProduct = async (product: ChildProcess) => {
  const ended = once(product, 'exit')
  product.kill('SIGTERM')
  await ended
}

interface Linked {
  connectionId: string
  tenant: string
  number: string
}

const linkNumbers = async () => {
  const product = startProduct()
  await received(product)
  const linked: Linked[] = []
  let attendant: Visitor | undefined
  let tenant = ''
  for (let index = 0; index < numbers; index++) {
    if (!attendant || index % connectionsPerTenant === 0) {
      attendant = await new Visitor(`http://127.0.0.1:${port}`).register()
      tenant = (await attendant.get<{ id: string }>('/api/auth/user')).id
    }
    const number = `55119000001${String(index).padStart(2, '0')}`
    const { id } = await attendant.link(network.addPhone(number, `Loja ${index}`), `Loja ${index}`)
    linked.push({ connectionId: id, tenant, number })
  }
  await stopProduct(product)
  return linked
}

const startWhileWrittenTo = async (linked: readonly Linked[], events: number, pool: Pool) => {
  const customer = network.addPhone(events === 0 ? '5511977000001' : '5511977000002', 'Cliente')
  for (const { number } of linked) await customer.sendText(number, 'Vocês abrem domingo?')
  const streams = linked.map(({ connectionId }) => `line-${connectionId}`)
  const began = performance.now()
  const product = startProduct()
  await received(product)
  const ready = secondsSince(began)
  await until(async () => {
    const { rows } = await pool.query<{ stored: number }>(
      `select count(*)::int as stored from unnest($1::text[]) l (stream)
       where exists (select from es.event e where e.stream = l.stream and e.revision >= $2 and e.type = 'MessageArrived')`,
      [streams, events],
    )
    return rows[0]?.stored === linked.length
  }, 300_000)
  const all = secondsSince(began)
  const report = received<{ memory: MemoryReport }>(product)
  product.send('memory')
  const { memory } = await report
  await stopProduct(product)
  console.log(
    `${linked.length} lines of ${events} events: ready after ${ready.toFixed(1)} s, the first message of each stored after ${all.toFixed(1)} s (aim: ${aims.seconds}); RSS ${megabytes(memory.rss)} MB, held ${megabytes(memory.held)} MB`,
  )
}

const measureStart = async () => {
  const linked = await linkNumbers()
  const pool = openPool(postgres.url)
  await startWhileWrittenTo(linked, 0, pool)
  await pool.query("delete from es.event where stream like 'line-%'")
  const ports = await openHere()
  let began = performance.now()
  for (const tenant of new Set(linked.map((each) => each.tenant))) {
    const [first, ...others] = linked.filter((each) => each.tenant === tenant).map(({ connectionId }) => connectionId)
    if (!first) continue
    await growLine(ports, { connectionId: first, tenant, events: eventsOfEach })
    await copyLine(ports, first, others)
  }
  // Moves all checkpoints behind the events that were written straight to the log.
  await pool.query('update checkpoint set position = (select lpad(max(position)::text, 19, $1) from es.event)', ['0'])
  await pool.query(withoutTimeout('vacuum analyze'))
  console.log(`\n${numbers} lines of ${eventsOfEach} events appended in ${secondsSince(began).toFixed(0)} s`)

  began = performance.now()
  const { lines } = sessionHandlers(ports)
  const left = [...linked]
  const loadEach = async () => {
    for (let next = left.pop(); next; next = left.pop()) await lines.load(next.connectionId, next.tenant)
  }
  await Promise.all(Array.from({ length: loadedAtOnce }, loadEach))
  await ports.snapshots.drain()
  console.log(
    `all of them folded once and saved in ${secondsSince(began).toFixed(0)} s, as the first start with this code does`,
  )
  await ports.store.close()
  await ports.close()

  await startWhileWrittenTo(linked, eventsOfEach, pool)
  await pool.end()
}

try {
  // First, or the product would consume the events of the other measurement.
  if (numbers > 0 && eventStoreUrl)
    console.log('The start with many lines is measured in PostgreSQL only: its log is written by SQL.')
  else if (numbers > 0) await measureStart()
  if (lengths.length > 0) await measureFirstCommands()
  if (busyLengths.length > 0) await measureBusyStreams()
} finally {
  for (const child of running) child.kill('SIGKILL')
  await network.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
