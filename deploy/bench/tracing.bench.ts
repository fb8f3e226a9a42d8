import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { productProcess } from '../test/product-process.ts'
import { Visitor } from '../test/visitor.ts'
import type { Writer } from './inbound-phones.ts'
import { processorMs } from './processor-time.ts'
import { startPhones } from './start-phones.ts'

/**
 * CPU time of an inbound message with tracing (each trace sent to a collector) as a ratio to the same product without, one after the other: two
 * products, a database each, the same phones. Off is the reference: nothing is loaded then.
 */
const rate = Number(process.env.PROSA_RATE ?? 200)
/** Share of traces that are sent. */
const share = process.env.OTEL_TRACES_SAMPLER_ARG ?? '1'
const seconds = 10
const rounds = 6
const people = 50

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
// As root, data in a closed folder would be moved elsewhere and stay.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const phones = await startPhones()
const { productFlags }: { productFlags: string[] } = await import(
  join(import.meta.dirname, '../../scripts/product-flags.mjs')
)
let received = 0
const collector = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const databaseFor = async () => {
  const name = `tracing_${randomUUID().replaceAll('-', '')}`
  const pool = openPool(postgres.url)
  await pool.query(`create database ${name}`)
  await pool.end()
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

const startSide = async (env: Record<string, string>, own: string) => {
  const databaseUrl = await databaseFor()
  const product = await productProcess(databaseUrl, phones.url, { nodeArguments: productFlags, env })
  const lines = [1, 2, 3, 4].map((number) => `551190000${own}00${number}`)
  const attendant = await new Visitor(product.url).register()
  for (const number of lines) {
    await phones.send({ do: 'add', number, name: 'Loja' })
    await attendant.link({ scan: (qr) => phones.send({ do: 'scan', number, qr }) }, `Loja ${number.slice(-1)}`)
  }
  const writers: Writer[] = []
  for (let index = 0; index < people; index++) {
    const from = `551198${own}${String(10000 + index)}`
    await phones.send({ do: 'add', number: from, name: `Pessoa ${index}` })
    writers.push({ from, to: lines[index % lines.length] ?? '' })
  }
  const pool = openPool(databaseUrl)
  let written = 0
  return {
    /** CPU milliseconds a message, until all are shown. */
    async measure(): Promise<number> {
      const before = (await processorMs(product.pid)) ?? Number.NaN
      const { length } = await phones.send({ do: 'write', writers, rate, seconds })
      written += length
      await until(async () => {
        const { rows } = await pool.query<{ count: number }>('select count(*)::int from chat_message')
        return rows[0]?.count === written
      }, 120_000)
      return (((await processorMs(product.pid)) ?? Number.NaN) - before) / length
    },
    async stop() {
      await pool.end()
      await product.kill()
    },
  }
}

const off = await startSide({}, '11')
const on = await startSide({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: share }, '22')
try {
  // Warm-up.
  for (const side of [off, on, off, on]) await side.measure()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Alternating which is first: the machine's speed drifts.
    const order = round % 2 === 0 ? [off, on] : [on, off]
    const taken = new Map<typeof off, number>()
    for (const side of order) taken.set(side, await side.measure())
    const [without = Number.NaN, traced = Number.NaN] = [taken.get(off), taken.get(on)]
    ratios.push(traced / without)
    console.log(
      `${rate} messages a second: ${without.toFixed(2)} ms a message without, ${traced.toFixed(2)} with tracing`,
    )
  }
  const sorted = ratios.toSorted((a, b) => a - b)
  console.log(
    `median ${((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) - 1).toFixed(3)} more; ${(received / 1e6).toFixed(1)} MB of traces`,
  )
  if (received === 0) throw new Error('the collector received nothing')
} finally {
  await off.stop()
  await on.stop()
  phones.stop()
  collector.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
