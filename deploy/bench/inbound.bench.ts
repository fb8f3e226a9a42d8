import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import type { Pool } from 'pg'
import { io } from 'socket.io-client'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { productProcess } from '../test/product-process.ts'
import { Visitor } from '../test/visitor.ts'
import { startBareBaileys } from './bare-baileys.ts'
import type { Sent, Writer } from './inbound-phones.ts'
import { logEnvironment } from './measured-log.ts'
import { paced, sharedNow } from './paced.ts'
import { processorMs } from './processor-time.ts'
import { startPhones } from './start-phones.ts'

/**
 * From a phone's send to the push in the browser, against a Socket.IO echo at the same rate; and CPU per message against Baileys alone.
 * Phones, product and browser are separate processes. With EVENTSTORE_URL the log is in an EventStoreDB.
 */
const rates = [50, 200]
const seconds = 10
const people = 200
const echoesUnderLoad = 50
const lines = ['5511900000001', '5511900000002', '5511900000003', '5511900000004']
const bareLines = ['5511900000011', '5511900000012', '5511900000013', '5511900000014']

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const summary = (latencies: readonly number[]) => {
  const sorted = latencies.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

const measureEcho = async (rate: number): Promise<number[]> => {
  const child = fork(join(import.meta.dirname, 'echo-process.ts'), { execArgv: ['--import', 'tsx'] })
  const [port] = await once(child, 'message')
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true })
  await once(socket as unknown as NodeJS.EventEmitter, 'connect')
  const latencies: number[] = []
  socket.on('echo', (stamp: number) => latencies.push(performance.now() - stamp))
  await paced(rate, seconds, () => socket.emit('echo', performance.now()))
  await until(() => latencies.length === rate * seconds)
  socket.close()
  child.disconnect()
  return latencies
}

interface RowsWritten {
  rows: number
  checkpoints: number
  /** With those that only read. */
  transactions: number
}

const rowsWritten = async (pool: Pool): Promise<RowsWritten> => {
  const { rows } = await pool.query<RowsWritten>(
    `select sum(n_tup_ins + n_tup_upd + n_tup_del)::float as rows,
            sum(n_tup_upd) filter (where relname = 'checkpoint')::float as checkpoints,
            (select xact_commit from pg_stat_database where datname = current_database())::float as transactions
     from pg_stat_user_tables`,
  )
  if (!rows[0]) throw new Error('the database counts no rows')
  return rows[0]
}

/** Pre-creates WAL files and analyzes, as on a database that has run for a day. */
const settle = async (url: string): Promise<void> => {
  const pool = openPool(url)
  for (let file = 0; file < 6; file++) {
    await pool.query("select pg_logical_emit_message(true, 'bench', 'the next file')")
    await pool.query('select pg_switch_wal()')
  }
  await pool.query('checkpoint')
  await pool.query('vacuum analyze')
  await pool.end()
}

interface Latencies {
  latencies: number[]
  /** The next message of the same person came before the push. */
  overtaken: number
  never: number
}

/** From each message to the first later push of its contact. */
const latenciesOf = (sent: readonly Sent[], pushesOf: (number: string) => readonly number[]): Latencies => {
  const found: Latencies = { latencies: [], overtaken: 0, never: 0 }
  const next = new Map<string, number>()
  for (const { from, at } of sent.toReversed()) {
    const pushed = pushesOf(from).find((time) => time >= at)
    const again = next.get(from)
    if (pushed === undefined) found.never++
    else if (again !== undefined && pushed > again) found.overtaken++
    else found.latencies.push(pushed - at)
    next.set(from, at)
  }
  return found
}

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
// As root, data in a closed folder would be moved elsewhere and stay.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const phones = await startPhones()
const { productFlags }: { productFlags: string[] } = await import(
  join(import.meta.dirname, '../../scripts/product-flags.mjs')
)
const bare = await startBareBaileys(phones.url, productFlags)
const product = await productProcess(postgres.url, phones.url, {
  nodeArguments: productFlags,
  env: logEnvironment,
})

try {
  const attendant = await new Visitor(product.url).register()
  for (const [index, number] of lines.entries()) {
    const name = `Loja ${index}`
    await phones.send({ do: 'add', number, name })
    await attendant.link({ scan: (qr) => phones.send({ do: 'scan', number, qr }) }, name)
  }
  for (const number of bareLines) {
    await phones.send({ do: 'add', number, name: 'Baileys' })
    await bare.link(number, (qr) => phones.send({ do: 'scan', number, qr }))
  }
  const socket = attendant.socket()
  await until(() => socket.connected)

  const writers: Writer[] = []
  for (let index = 0; index < people; index++) {
    const from = `551198800${String(1000 + index)}`
    await phones.send({ do: 'add', number: from, name: `Pessoa ${index}` })
    writers.push({ from, to: lines[index % lines.length] ?? '' })
  }
  let written = 0
  const write = async (rate: number, seconds: number): Promise<Sent[]> => {
    const sent = await phones.send({ do: 'write', writers, rate, seconds })
    written += sent.length
    return sent
  }
  await write(50, people / 50)
  await until(
    async () => (await attendant.get<{ waiting: number }>('/api/whatsapp/contact-counts')).waiting === people,
    60_000,
  )
  const contacts = await attendant.all<Contact>('/api/whatsapp/contacts?status=waiting')
  const numberOf = new Map(contacts.map(({ id, phone }) => [id, phone]))
  const pushes = new Map<string, number[]>()
  const pushesOf = (number: string) => pushes.get(number) ?? []
  socket.on('whatsapp:new_message', ({ contactId }) => {
    const number = numberOf.get(contactId)
    if (number) pushes.set(number, [...pushesOf(number), sharedNow()])
  })

  const measureInbound = async (rate: number): Promise<Latencies> => {
    pushes.clear()
    const sent = await write(rate, seconds)
    const lastOf = new Map(sent.map(({ from, at }) => [from, at]))
    const arePushed = () => [...lastOf].every(([from, at]) => pushesOf(from).some((time) => time >= at))
    await until(arePushed, 10_000).catch(() => undefined)
    return latenciesOf(sent, pushesOf)
  }
  const bareWriters = writers.map(({ from }, index) => ({ from, to: bareLines[index % bareLines.length] ?? '' }))
  const writeToBare = async (rate: number, seconds: number): Promise<number> => {
    const before = await bare.received()
    const { length } = await phones.send({ do: 'write', writers: bareWriters, rate, seconds })
    await until(async () => (await bare.received()) === before + length)
    return length
  }
  /** CPU milliseconds per message by process. */
  const processorOf = async (pids: readonly number[], messages: () => Promise<number>): Promise<number[]> => {
    const read = () => Promise.all(pids.map(processorMs))
    const before = await read()
    const count = await messages()
    const after = await read()
    return pids.map((_, index) => ((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) / count)
  }
  const pool = openPool(postgres.url)
  /** Until all messages are in the chats: deferred work counts. */
  const areShown = () =>
    until(async () => {
      const { rows } = await pool.query<{ count: number }>('select count(*)::int from chat_message')
      return rows[0]?.count === written
    }, 120_000)
  const processorRow = async (rate: number) => {
    await areShown()
    const rowsBefore = await rowsWritten(pool)
    const pids = [product.pid, postgres.pid]
    const messages = async () => {
      const { length } = await write(rate, seconds)
      await areShown()
      return length
    }
    const [own = Number.NaN, database = Number.NaN] = await processorOf(pids, messages)
    // Counts of a busy connection are reported after up to a second.
    await delay(1500)
    const rowsAfter = await rowsWritten(pool)
    const [alone = Number.NaN] = await processorOf([bare.pid], () => writeToBare(rate, seconds))
    const perMessage = (of: keyof RowsWritten) => ((rowsAfter[of] - rowsBefore[of]) / (rate * seconds)).toFixed(1)
    console.log(
      `            a message writes ${perMessage('rows')} rows, of them ${perMessage('checkpoints')} checkpoints, in ${perMessage('transactions')} transactions`,
    )
    const [withDatabase, without] = [(own + database) / alone, own / alone].map((times) => times.toFixed(1))
    console.log(
      `            processor ms a message: product ${own.toFixed(2)}, PostgreSQL ${database.toFixed(2)}; Baileys alone ${alone.toFixed(2)} (${without} times, ${withDatabase} with PostgreSQL)`,
    )
  }
  await settle(postgres.url)
  // Warm-up: compiled code, as in a process that has run for days.
  await measureInbound(100)
  await writeToBare(50, people / 50)
  await writeToBare(100, seconds)
  await delay(1000)

  const row = (rate: number, what: string, { p50, p99 }: ReturnType<typeof summary>, note = '') =>
    console.log(
      `${String(rate).padEnd(11)} ${what.padEnd(26)} ${p50.toFixed(2).padStart(8)} ${p99.toFixed(2).padStart(8)}   ${note}`,
    )
  const inboundRow = (rate: number, what: string, { latencies, overtaken, never }: Latencies, echo: number[]) => {
    const [inbound, bare] = [summary(latencies), summary(echo)]
    row(rate, what, inbound, `${(inbound.p50 / bare.p50).toFixed(1)}, ${(inbound.p99 / bare.p99).toFixed(1)}`)
    console.log(
      `            pushed ${latencies.length} of ${rate * seconds}; ${overtaken} were overtaken by the next message of the same person, ${never} never pushed`,
    )
  }

  console.log('messages/s  what                         p50 ms   p99 ms   times the echo (p50, p99)')
  for (const rate of rates) {
    const echo = await measureEcho(rate)
    row(rate, 'Socket.IO echo', summary(echo))
    inboundRow(rate, 'inbound to browser', await measureInbound(rate), echo)
    const [inbound, besides] = await Promise.all([measureInbound(rate), measureEcho(echoesUnderLoad)])
    row(rate, 'Socket.IO echo beside it', summary(besides), `(${echoesUnderLoad} echoes a second, in a run of its own)`)
    inboundRow(rate, 'inbound beside that echo', inbound, besides)
    await processorRow(rate)
  }
  await pool.end()
  socket.close()
} finally {
  await product.kill()
  bare.stop()
  phones.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
