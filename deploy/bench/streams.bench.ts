import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamFormat } from '@prosa/contracts/http/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import { beginning } from '@prosa/kernel/event-store/port'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import { positionTokens } from '@prosa/kernel/http/reading/position-tokens'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import { openPorts } from '@prosa/product/process/open-ports'
import { columnsOf } from '@prosa/product/publishing/event-rows'
import { publishEvents } from '@prosa/product/publishing/publish-events'
import { readSide } from '@prosa/projections/read-side'
import { formats, readEvents } from '@prosa/projections/streams/read-events'
import { to as copyTo } from 'pg-copy-streams'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { median } from './measure.ts'
import { storeHistory } from './reading-log.ts'

/**
 * Published events of the whole log in each format, with the key of an analyst, as the route makes them but without the socket, against `COPY es.event TO STDOUT`
 * of the same log. Encrypted texts. Rounds alternate; medians. Bytes a second: of the log as COPY gives it, and of the answer.
 */
const events = Number(process.argv[2] ?? 1_000_000)
const contacts = Math.max(100, Math.floor(events / 50))
const rounds = 3

const text = 'Bom dia! Gostaria de saber se o pão de fermentação natural ainda está disponível para sábado, por favor. '
const textOf = (message: number) => text.slice(0, 20 + ((message * 7919) % (text.length - 20)))

interface Run {
  ms: number
  bytes: number
  /** Beyond what was used before, at most. */
  peakMb: number
}

const timed = async (work: (add: (bytes: number) => void) => Promise<void>): Promise<Run> => {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let [bytes, peak] = [0, before]
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 100)
  const began = performance.now()
  await work((more) => {
    bytes += more
  })
  const ms = performance.now() - began
  clearInterval(watching)
  return { ms, bytes, peakMb: (peak - before) / 1024 / 1024 }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const ports = await openPorts({
    databaseUrl: postgres.url,
    masterSecret: Buffer.alloc(32, 7),
    log: silentLog(),
    readSide,
    services: [],
  })
  await storeHistory(ports, { tenant: deriveId('streams bench'), contacts, messages: events - contacts, textOf })
  const pool = openPool(postgres.url)
  await pool.query(withoutTimeout('vacuum analyze'))

  const copy = () =>
    timed(async (add) => {
      const client = await pool.connect()
      await client.query('set statement_timeout = 0')
      for await (const piece of client.query(copyTo('copy es.event to stdout'))) add((piece as Buffer).length)
      client.release(true)
    })
  const tokens = positionTokens(ports.box)
  const publish = publishEvents(ports)
  const times = logTimes(ports)
  const answer = (format: StreamFormat, type?: string) =>
    timed(async (add) => {
      const question = {
        after: beginning,
        upTo: undefined,
        tenant: null,
        query: type === undefined ? {} : { type: [type] },
        publish,
        tokensOf: (positions: Parameters<typeof tokens.tokensOf>[1]) => tokens.tokensOf('streams platform', positions),
        mayGoOn: async () => true,
      }
      const read = readEvents({ ...ports, times }, question, new AbortController().signal)
      for await (const piece of formats[format].write(read, columnsOf(type === undefined ? [] : [type], false)))
        add(typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length)
    })

  const runs: Record<string, { take: () => Promise<Run>; found: Run[]; ratios: number[]; ofBytes: number[] }> = {}
  for (const format of ['ndjson', 'csv', 'parquet'] as const)
    runs[format] = { take: () => answer(format), found: [], ratios: [], ofBytes: [] }
  const copies: Run[] = []
  await copy()
  for (let round = 0; round < rounds; round++)
    for (const run of Object.values(runs)) {
      const reference = await copy()
      copies.push(reference)
      const found = await run.take()
      run.found.push(found)
      run.ratios.push(reference.ms / found.ms)
      run.ofBytes.push(found.bytes / found.ms / (reference.bytes / reference.ms))
    }
  const shown = (found: readonly Run[]) => ({
    s: Number((median(found.map(({ ms }) => ms)) / 1000).toFixed(2)),
    'events /s': Math.round(events / (median(found.map(({ ms }) => ms)) / 1000)),
    MB: Math.round((found[0]?.bytes ?? 0) / 1e6),
    'peak MB more': Math.round(Math.max(...found.map(({ peakMb }) => peakMb))),
  })
  console.log(`${events} events, node ${process.version}`)
  console.table({
    'COPY TO STDOUT': shown(copies),
    ...Object.fromEntries(
      Object.entries(runs).map(([name, { found, ratios, ofBytes }]) => [
        name,
        {
          ...shown(found),
          'of COPY, log bytes /s': Number(median(ratios).toFixed(3)),
          'of COPY, own bytes /s': Number(median(ofBytes).toFixed(3)),
        },
      ]),
    ),
  })
  await pool.end()
  await ports.close()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
