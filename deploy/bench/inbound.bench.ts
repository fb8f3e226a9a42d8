import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { io } from 'socket.io-client'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { productProcess } from '../test/product-process.ts'
import { Visitor } from '../test/visitor.ts'
import { startBareBaileys } from './bare-baileys.ts'
import type { Order, Sent, Writer } from './inbound-phones.ts'
import { paced, sharedNow } from './paced.ts'
import { processorMs } from './processor-time.ts'

/**
 * From a person's press on 'send' to the push in the attendant's browser: phone, WhatsApp server, Baileys, log, contact,
 * read models, socket. The phones and the WhatsApp server are one process, the product, bundled as users run it, is another,
 * the browser's socket is this one. Beside it, in the same run and at the same rate, a bare Socket.IO echo; and, as a
 * measurement of its own, the same echo while the messages come in: how long the machine alone makes anybody wait then. And what a
 * message takes of the processors, the product's and PostgreSQL's, beside a process with Baileys alone to whose numbers the same
 * people write as much at the same rate.
 */
const rates = [50, 200]
const seconds = 10
const people = 200
const echoesUnderLoad = 50
/** A subscriber of the size that receives 200 messages a second has more than one number. */
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

const startPhones = async (): Promise<{ url: string; send: (order: Order) => Promise<Sent[]>; stop: () => void }> => {
  // Phones do not stand still all at once for their garbage, as those of one process do.
  const flags = ['--heap-growing-percent=400', '--import', 'tsx']
  const child: ChildProcess = fork(join(import.meta.dirname, 'inbound-phones.ts'), { execArgv: flags })
  const [{ url }] = await once(child, 'message')
  return {
    url,
    async send(order) {
      child.send(order)
      const [{ answer }] = await once(child, 'message')
      return answer ?? []
    },
    stop: () => child.disconnect(),
  }
}

/** A database that has run for a day has made the files of its log, each of which takes the disk for 50 ms, and knows its tables. */
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
  /** Sent again by the same person before the earlier message was pushed. */
  overtaken: number
  never: number
}

/** How long each message took to the first push of its contact that came after it. */
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
// As root the database would go elsewhere, and stay there.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const phones = await startPhones()
const { productFlags }: { productFlags: string[] } = await import(
  join(import.meta.dirname, '../../scripts/product-flags.mjs')
)
const bare = await startBareBaileys(phones.url, productFlags)
const product = await productProcess(postgres.url, phones.url, { nodeArguments: productFlags })

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
  /** What processes take of the processors for each message, in milliseconds. */
  const processorOf = async (pids: readonly number[], messages: () => Promise<number>): Promise<number[]> => {
    const read = () => Promise.all(pids.map(processorMs))
    const before = await read()
    const count = await messages()
    const after = await read()
    return pids.map((_, index) => ((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) / count)
  }
  const pool = openPool(postgres.url)
  /** Until every message so far is in the chats: what a machine cannot do in time it does later, and that counts, too. */
  const areShown = () =>
    until(async () => {
      const { rows } = await pool.query<{ count: number }>('select count(*)::int from chat_message')
      return rows[0]?.count === written
    }, 120_000)
  const processorRow = async (rate: number) => {
    await areShown()
    const pids = [product.pid, postgres.pid]
    const messages = async () => {
      const { length } = await write(rate, seconds)
      await areShown()
      return length
    }
    const [own = Number.NaN, database = Number.NaN] = await processorOf(pids, messages)
    const [alone = Number.NaN] = await processorOf([bare.pid], () => writeToBare(rate, seconds))
    const [withDatabase, without] = [(own + database) / alone, own / alone].map((times) => times.toFixed(1))
    console.log(
      `            processor ms a message: product ${own.toFixed(2)}, PostgreSQL ${database.toFixed(2)}; Baileys alone ${alone.toFixed(2)} (${without} times, ${withDatabase} with PostgreSQL)`,
    )
  }
  await settle(postgres.url)
  // A process that has just started runs code that is not compiled yet; one that serves a subscriber runs for days.
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
