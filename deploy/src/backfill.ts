import { identityOf } from '@prosa/kernel/event-store/identity/recognize-log'
import { createLog } from '@prosa/kernel/observability/log'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { orExplain } from '@prosa/kernel/process/explain'
import { publishEvents } from '@prosa/product/publishing/publish-events'
import { backfill } from '@prosa/streams/backfill/backfill'
import { readBackfill, usage } from '@prosa/streams/backfill/command-line'
import { CannotBackfill } from '@prosa/streams/backfill/range'
import { kafkaPublisher } from '@prosa/streams/publisher/kafka/kafka-publisher'
import { kafkaSettings } from '@prosa/streams/publisher/kafka/kafka-settings'
import { reachDatabase } from './backup/reach-database.ts'
import { backupConfig } from './backup/settings.ts'
import { configuredPorts } from './configured-ports.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { terminalProgress } from './terminal-progress.ts'

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())

/** `npm run backfill -- <topic>`, while Prosa runs or not: docs/operating.md. */
await orExplain(async () => {
  const asked = readBackfill(process.argv.slice(2))
  if (!asked) {
    process.stdout.write(usage)
    return
  }
  const config = backupConfig()
  if (!config.kafka) throw new ConfigError('Set KAFKA_BROKERS: the topic is to be in that Kafka.')
  const { kafka } = config
  const log = createLog(config.logLevel)
  const database = await reachDatabase(config, log)
  const progress = terminalProgress(process.stderr)
  try {
    const ports = await configuredPorts(config, [], database, log)
    const deps = {
      ...ports,
      publisher: kafkaPublisher(kafkaSettings(kafka), log),
      publish: publishEvents(ports),
      prefix: kafka.topicPrefix,
      logId: (await identityOf(ports.store))?.logId,
      onProgress: (done: number, total: number) => progress.show(asked.topic, done, total),
    }
    const { isComplete, events } = await backfill(asked.topic, asked.range, deps, stopping.signal)
    progress.end()
    await ports.store.close()
    await ports.close()
    if (!isComplete) throw new CannotBackfill('Interrupted: the same command goes on from here.')
    process.stdout.write(`${asked.topic}: all ${events} events of the range, as many as the log has.\n`)
  } finally {
    progress.end()
    await database.stop()
  }
}, [CannotBackfill, EmbeddedPostgresError])
