import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as iteration } from 'node:timers/promises'
import { publishedStreams } from '@prosa/contracts/published/catalogue'
import { identityOf } from '@prosa/kernel/event-store/identity/recognize-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import { openPorts } from '@prosa/product/process/open-ports'
import { publishEvents } from '@prosa/product/publishing/publish-events'
import { readSide } from '@prosa/projections/read-side'
import { backfill } from '@prosa/streams/backfill/backfill'
import { kafkaPublisher } from '@prosa/streams/publisher/kafka/kafka-publisher'
import type { TopicRecord } from '@prosa/streams/publisher/port'
import { noBroker, startBroker } from '@prosa/streams/testing/kafka-broker'
import { inChunks, topicRecord } from '@prosa/streams/topic-record'
import { Kafka } from 'kafkajs'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { median } from './measure.ts'
import { storeHistory } from './reading-log.ts'

/**
 * A log of encrypted conversations into a new topic of a real broker (`backfill`), beside kafkajs alone with ready messages of the same size, and beside
 * reading the log. Rounds alternate; medians. Arguments: messages, rounds.
 */
const messages = Number(process.argv[2] ?? 200_000)
const rounds = Number(process.argv[3] ?? 3)
const tenant = '11111111-1111-4111-8111-111111111111'
const words = 'Bom dia! Vocês ainda têm o bolo de cenoura com cobertura para amanhã cedo?'
const aim = 0.7

if (noBroker) {
  console.log(`Not run: ${noBroker.trim()}.`)
  process.exit(0)
}

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-kafka-'))
// As root, data in a closed folder would be moved elsewhere and stay.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const broker = await startBroker()
try {
  const log = silentLog()
  const ports = await openPorts({
    ...{ databaseUrl: postgres.url, masterSecret: Buffer.alloc(32, 7), log, readSide, services: [] },
  })
  const { store, codec, pool } = ports
  await storeHistory(ports, {
    tenant,
    contacts: Math.max(100, Math.floor(messages / 200)),
    messages,
    textOf: () => words,
  })
  await pool.query(withoutTimeout('vacuum analyze es.event'))
  const publish = publishEvents(ports)
  const logId = (await identityOf(store))?.logId
  const categories = publishedStreams

  const readLog = async () => {
    let events = 0
    for await (const batch of store.readAll(beginning, { categories })) events += batch.events.length
    return events
  }

  const ready: TopicRecord[][] = []
  for await (const { events } of store.readAll(beginning, { categories })) {
    const published = await publish(await codec.decode(events))
    ready.push(...inChunks(published.flatMap((event) => (event ? [topicRecord(event, logId)] : []))))
    if (ready.length > 30) break
  }
  const kafka = new Kafka({ brokers: broker.brokers, logCreator: () => () => undefined })
  const topicOf = (name: string) => `bench.${name}.${crypto.randomUUID().slice(0, 8)}`
  const createTopic = async (topic: string) => {
    const admin = kafka.admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 3 }], waitForLeaders: true })
    await admin.disconnect()
  }
  const bare = async () => {
    const topic = topicOf('bare')
    await createTopic(topic)
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
    await producer.connect()
    let events = 0
    const began = performance.now()
    for (let next = 0; events < messages; next++) {
      const chunk = ready[next % ready.length] ?? []
      await producer.send({
        ...{ topic, acks: -1 },
        messages: chunk.map(({ key, value, headers, timestamp }) => ({
          ...{ key, value, headers, timestamp: String(timestamp) },
        })),
      })
      events += chunk.length
    }
    const ms = performance.now() - began
    await producer.disconnect()
    return (events / ms) * 1000
  }
  const range = {
    ...{ services: [], types: [], after: undefined, upTo: undefined },
    ...{ since: undefined, until: undefined },
  }
  const publisher = kafkaPublisher({ brokers: broker.brokers, partitions: 3 }, log)
  const backfilled = async () => {
    const began = performance.now()
    const deps = { ...ports, publisher, publish, prefix: 'bench-live', logId }
    const { events } = await backfill(topicOf('backfill'), range, deps, new AbortController().signal)
    return (events / (performance.now() - began)) * 1000
  }
  const reading = async () => {
    const began = performance.now()
    const events = await readLog()
    return (events / (performance.now() - began)) * 1000
  }

  const rates: Record<string, number[]> = { 'reading the log': [], 'bare kafkajs': [], backfill: [] }
  const ratios: number[] = []
  // Once for warm code.
  for (const run of [reading, bare, backfilled]) await run()
  for (let round = 0; round < rounds; round++) {
    const [read, sent, ours] = [await reading(), await bare(), await backfilled()]
    rates['reading the log']?.push(read)
    rates['bare kafkajs']?.push(sent)
    rates.backfill?.push(ours)
    ratios.push(ours / Math.min(read, sent))
    await iteration()
  }
  console.log(`${messages} messages, node ${process.version}, ${rounds} rounds; aim ${aim} of the smaller reference`)
  console.table(
    Object.fromEntries(Object.entries(rates).map(([name, each]) => [name, { 'events /s': Math.round(median(each)) }])),
  )
  console.log(
    `backfill: ${median(ratios).toFixed(2)} of the smaller one (${ratios.map((each) => each.toFixed(2)).join(', ')})`,
  )
  await store.close()
  await ports.close()
} finally {
  await broker.remove()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
