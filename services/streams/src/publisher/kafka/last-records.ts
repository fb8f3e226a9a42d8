import type { Position } from '@prosa/kernel/event-store/port'
import type { Kafka, KafkaConfig } from 'kafkajs'
import Cluster from 'kafkajs/src/cluster/index.js'
import socketFactory from 'kafkajs/src/network/socketFactory.js'
import { type LastRecord, type Marks, OtherWriterRecords, PublishingFailed } from '../port.ts'

export interface PartitionEnds {
  partition: number
  low: bigint
  high: bigint
}

/** Others may have written behind our last record, by hand: so far it is looked for. */
const maxOtherRecords = 1000n
const maxFetchBytes = 4 * 1024 * 1024
const maxWaitMs = 1000

/** kafkajs offers records only to consumer groups, which wait for a rebalance and want rights of their own. */
export const readLastRecords = async (
  kafka: Kafka,
  config: KafkaConfig,
  topic: string,
  ends: readonly PartitionEnds[],
  marks: Marks,
): Promise<Map<number, LastRecord>> => {
  const cluster = new Cluster({
    ...config,
    logger: kafka.logger(),
    socketFactory: socketFactory(),
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
  })
  const last = new Map<number, LastRecord>()
  try {
    await cluster.connect()
    await cluster.addTargetTopic(topic)
    for (const { partition, low, high } of ends) {
      if (high === low) continue
      const found =
        (await lastOf(cluster, topic, { partition, low: high - 1n, high }, marks)) ??
        (await lastOf(
          cluster,
          topic,
          { partition, low: high - low > maxOtherRecords ? high - maxOtherRecords : low, high },
          marks,
        ))
      if (!found)
        throw new OtherWriterRecords(
          `${topic}, partition ${partition}: its last ${maxOtherRecords} records are not of this writer`,
        )
      last.set(partition, found)
    }
    return last
  } finally {
    await cluster.disconnect()
  }
}

const textOf = (headers: Record<string, Buffer | undefined>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]))

const lastOf = async (cluster: Cluster, topic: string, { partition, low, high }: PartitionEnds, marks: Marks) => {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
  if (nodeId === undefined) throw new PublishingFailed(`${topic}, partition ${partition}: has no leader`)
  const broker = await cluster.findBroker({ nodeId })
  let last: LastRecord | undefined
  for (let offset = low; offset < high; ) {
    const partitions = [{ partition, fetchOffset: String(offset), maxBytes: maxFetchBytes }]
    const { responses } = await broker.fetch({
      ...{ replicaId: -1, isolationLevel: 0, maxWaitTime: maxWaitMs, minBytes: 1, maxBytes: maxFetchBytes },
      topics: [{ topic, partitions }],
    })
    const messages = responses.flatMap((response) => response.partitions.flatMap(({ messages }) => messages))
    const newest = messages.at(-1)
    if (!newest) return last
    for (const { headers } of messages) {
      const position = headers[marks.position]?.toString()
      if (position === undefined) continue
      last = { position: position as Position, logId: headers[marks.log]?.toString(), headers: textOf(headers) }
    }
    offset = BigInt(newest.offset) + 1n
  }
  return last
}
