import { systemClock } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { publishTopic } from '../publish-topic.ts'
import { kafkaPublisher } from '../publisher/kafka/kafka-publisher.ts'
import { publishPlainly } from './publish-plainly.ts'

/** Publishes contacts until killed. Arguments: database, brokers, first word of the topic. */
const [databaseUrl = '', brokers = '', prefix = ''] = process.argv.slice(2)
const log = silentLog()
const pool = openPool(databaseUrl, { onError: () => undefined })
const deps = {
  ...{ pool, databaseUrl, log, prefix, logId: 'log', codec: eventCodec(), clock: systemClock },
  store: await postgresEventStore({ url: databaseUrl }),
  publisher: kafkaPublisher({ brokers: brokers.split(',') }, log),
  publish: publishPlainly,
  pauseMs: () => 100,
}
await publishTopic('contact', deps, new AbortController().signal, new Map())
