import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Codec, eventCodec, type Identified } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { kernelMigrations } from '@prosa/kernel/migrations/kernel-migrations'
import { silentLog } from '@prosa/kernel/observability/log'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { openPool } from '@prosa/kernel/postgres/pool'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

/** Codec with and without encryption, in µs per event including JSON. `warm`: cached keys; `cold`: one key query a page of 500 events. */
const rounds = 15
const pageSize = 500
const tenant = randomUUID()
const connectionId = randomUUID()
const words = 'Bom dia! Vocês abrem no domingo? Queria encomendar dois bolos de fubá para a tarde.'

const received = (): AnyEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: randomBytes(9).toString('hex'),
    connectionId,
    content: { kind: 'text', text: words },
    sentAt: '2026-11-21T12:00:00.000Z',
  },
})
const arrived = (): AnyEvent => ({
  type: 'MessageArrived',
  data: {
    messageId: randomBytes(9).toString('hex'),
    chatJid: `${Math.floor(Math.random() * 1e15)}@lid`,
    alternateJid: '5511988776655@s.whatsapp.net',
    fromMe: false,
    pushName: 'Ana Souza',
    sentAt: '2026-11-21T12:00:00.000Z',
    via: 'notify',
    content: { kind: 'text', text: words },
    raw: randomBytes(300).toString('base64'),
  },
})

const pageOf = (category: string, make: () => AnyEvent): Identified[] =>
  Array.from({ length: pageSize }, () => ({
    id: randomUUID(),
    stream: `${category}-${randomUUID()}`,
    event: make(),
    metadata: {
      causationId: 'bench',
      correlationId: 'bench',
      actor: { kind: 'system', id: 'bench' },
      tenant,
      recordedAt: '2026-11-21T12:00:00.000Z',
    },
  }))

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return ((performance.now() - began) * 1000) / pageSize
}

const write = async (codec: Codec, page: readonly Identified[]): Promise<{ stream: string; text: string }[]> =>
  (await codec.encode(page)).map((event, index) => ({
    stream: page[index]?.stream ?? '',
    text: JSON.stringify(event),
  }))

const read = (codec: Codec, stored: readonly { stream: string; text: string }[]) =>
  codec.decode(
    stored.map(
      ({ stream, text }): RecordedEvent => ({ ...JSON.parse(text), stream, revision: 0n, position: '1' as Position }),
    ),
  )

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
try {
  const pool = openPool(server.url)
  await migrate(server.url, [eventStoreMigrations, kernelMigrations])
  const masterSecret = randomBytes(32)
  const process = async () => {
    const { personal } = await openPrivacy({
      pool,
      writePool: pool,
      databaseUrl: server.url,
      masterSecret,
      log: silentLog(),
      signal: AbortSignal.abort(),
    })
    return eventCodec({ personal })
  }
  const plain = eventCodec()

  const measured: Record<string, { without: number[]; with: number[]; bytes: number[] }> = {}
  const note = (name: string, without: number, sealed: number, growth: number) => {
    measured[name] ??= { without: [], with: [], bytes: [] }
    measured[name].without.push(without)
    measured[name].with.push(sealed)
    measured[name].bytes.push(growth)
  }
  const kinds = [
    { name: 'MessageReceived, 1 field', category: 'chat', make: received },
    { name: 'MessageArrived, 5 fields', category: 'line', make: arrived },
  ]
  for (let round = 0; round < rounds; round++)
    for (const { name, category, make } of kinds) {
      const page = pageOf(category, make)
      const sealing = await process()
      const inPlain = await write(plain, page)
      const cold = await timed(() => write(sealing, page))
      const sealed = await write(sealing, page)
      const bytes =
        sealed.reduce((sum, { text }, at) => sum + text.length - (inPlain[at]?.text.length ?? 0), 0) / pageSize
      const writePlain = await timed(() => write(plain, page))
      note(`write ${name}, warm`, writePlain, await timed(() => write(sealing, page)), bytes)
      note(`write ${name}, cold (keys are made)`, writePlain, cold, bytes)
      const readPlain = await timed(() => read(plain, inPlain))
      note(`read ${name}, warm`, readPlain, await timed(() => read(sealing, sealed)), bytes)
      const starting = await process()
      note(`read ${name}, cold (keys are fetched)`, readPlain, await timed(() => read(starting, sealed)), bytes)
    }

  console.log(
    `Codec, microseconds per event, pages of ${pageSize}, ${rounds} rounds, node ${globalThis.process.version}`,
  )
  console.table(
    Object.entries(measured).map(([what, samples]) => {
      const [without, sealed] = [median(samples.without), median(samples.with)]
      return {
        what,
        'without µs': Number(without.toFixed(1)),
        'with µs': Number(sealed.toFixed(1)),
        'more µs': Number((sealed - without).toFixed(1)),
        'more bytes': Math.round(median(samples.bytes)),
      }
    }),
  )
  await pool.end()
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
