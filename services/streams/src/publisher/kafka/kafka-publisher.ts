import { pause } from '@prosa/kernel/async/pause'
import { retry } from '@prosa/kernel/async/retry'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import kafkajs, { Kafka, type KafkaConfig, Partitioners, type Producer } from 'kafkajs'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import {
  type LastRecord,
  logMarks,
  type Marks,
  type Publisher,
  PublishingFailed,
  type TopicRecord,
  type TopicWriter,
} from '../port.ts'
import { type PartitionEnds, readLastRecords } from './last-records.ts'

export interface KafkaSettings extends Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'> {
  /** Of topics that are created; by default the broker's `num.partitions`. */
  partitions?: number | undefined
  /** Of topics that are created; by default the broker's `default.replication.factor`. */
  replication?: number | undefined
}

/** Node finds no named export of it. */
const { KafkaJSError } = kafkajs

const connectMs = 5000
const requestMs = 10_000
const leaderWaitMs = 10_000
const leaderPauseMs = 200
/** With the same producer: its sequence numbers keep a repeated request from being stored twice. */
const pausesMs = [100, 300, 1000, 2000]
/** An event may have 1 MiB; Kafka's default for a batch is less than that with its headers. */
const maxBatchBytes = 4 * 1024 * 1024

const configOf = ({ brokers, ssl, sasl }: KafkaSettings, log: Logger): KafkaConfig => ({
  ...{ clientId: 'prosa-streams', brokers, ssl, sasl },
  ...{ connectionTimeout: connectMs, authenticationTimeout: connectMs, requestTimeout: requestMs },
  // An idempotent producer of kafkajs must retry; all other retries are ours, which know of shutdown and lost locks.
  retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 200 },
  // Messages quote nothing of records, but name hosts.
  logCreator:
    () =>
    ({ namespace, log: entry }) =>
      log.debug({ namespace, kafka: entry.message }, 'kafkajs'),
})

const failureOf = (topic: string, doing: string, cause: unknown): PublishingFailed => {
  if (cause instanceof PublishingFailed) return cause
  const inner = cause instanceof KafkaJSError && cause.cause ? cause.cause : cause
  const type = inner instanceof Error ? ('type' in inner && inner.type) || inner.name : 'unknown'
  return new PublishingFailed(`${topic} could not be ${doing}: ${type}`, { cause })
}

const { prototype } = RequestQueue
const { scheduleCheckPendingRequests } = prototype

/** An idle connection of kafkajs 2.2.4 sets one timer after the other, without pause (its issue 1751). */
const calmRequestQueue = (): void => {
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) scheduleCheckPendingRequests.call(this)
  }
}

/** kafkajs 2.2.4; its known faults: docs/decisions/0073-streams-to-kafka.md. */
export const kafkaPublisher = (settings: KafkaSettings, log: Logger, marks: Marks = logMarks): Publisher => {
  calmRequestQueue()
  const config = configOf(settings, log)
  const kafka = new Kafka(config)
  return {
    async open(topic) {
      try {
        const ends = await openTopic(kafka, settings, topic)
        const last = await readLastRecords(kafka, config, topic, ends, marks)
        return writerOf(topic, ends, last, await connectProducer(kafka))
      } catch (error) {
        throw failureOf(topic, 'opened', error)
      }
    },
  }
}

const openTopic = async (kafka: Kafka, { partitions, replication }: KafkaSettings, topic: string) => {
  const admin = kafka.admin()
  try {
    await admin.connect()
    if (!(await admin.listTopics()).includes(topic))
      await admin.createTopics({
        waitForLeaders: true,
        topics: [
          {
            ...{ topic, numPartitions: partitions ?? -1, replicationFactor: replication ?? -1 },
            configEntries: [
              { name: 'retention.ms', value: '-1' },
              { name: 'max.message.bytes', value: String(maxBatchBytes) },
            ],
          },
        ],
      })
    const offsets = await retry(() => admin.fetchTopicOffsets(topic), {
      signal: AbortSignal.timeout(leaderWaitMs),
      // The leader of a new partition may not know yet that it is one.
      pauseAfter: (_, error) => (isRetriable(error) ? leaderPauseMs : undefined),
    })
    if (!offsets) throw new PublishingFailed(`${topic}: its partitions have no leader`)
    return offsets
      .map(({ partition, low, high }): PartitionEnds => ({ partition, low: BigInt(low), high: BigInt(high) }))
      .sort((one, other) => one.partition - other.partition)
  } finally {
    await admin.disconnect()
  }
}

/** One whose connect failed would go on without idempotence. */
const connectProducer = async (kafka: Kafka): Promise<Producer> => {
  const producer = kafka.producer({
    ...{ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false },
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  try {
    await producer.connect()
    return producer
  } catch (error) {
    await producer.disconnect().catch(() => undefined)
    throw error
  }
}

const isRetriable = (error: unknown) => error instanceof KafkaJSError && error.retriable

const writerOf = (
  topic: string,
  ends: readonly PartitionEnds[],
  last: ReadonlyMap<number, LastRecord>,
  producer: Producer,
): TopicWriter => {
  const partition = Partitioners.DefaultPartitioner()
  const partitionMetadata = ends.map((end) => ({
    ...{ partitionId: end.partition, partitionErrorCode: 0, leader: 0 },
    ...{ replicas: [], isr: [] },
  }))
  const partitionOf = (key: string) => partition({ topic, partitionMetadata, message: { key, value: null } })
  const furthest = [...last.values()].reduce<LastRecord | undefined>(
    (one, other) => (one && one.position > other.position ? one : other),
    undefined,
  )
  let isBroken = false

  const send = (records: readonly TopicRecord[]) =>
    producer.send({
      topic,
      acks: -1,
      timeout: requestMs,
      messages: records.map(({ key, value, headers, timestamp }) => ({
        ...{ key, value, headers, partition: partitionOf(key), timestamp: String(timestamp) },
      })),
    })

  return {
    isNew: ends.every(({ high }) => high === 0n),
    furthest,
    records: ends.reduce((sum, { high }) => sum + high, 0n),
    lastPosition: (key): Position | undefined => last.get(partitionOf(key))?.position,
    async write(records, signal) {
      if (isBroken) throw new PublishingFailed(`${topic}: the writer failed before`)
      for (let failures = 0; ; failures++) {
        try {
          await send(records)
          return
        } catch (error) {
          const ms = pausesMs[failures]
          if (isRetriable(error) && ms !== undefined && !signal.aborted) await pause(ms, signal)
          else {
            isBroken = true
            throw failureOf(topic, 'written', error)
          }
        }
      }
    },
    async close() {
      isBroken = true
      await producer.disconnect()
    },
  }
}
