import { Kafka } from 'kafkajs'

export interface ReadRecord {
  key: string
  value: string
  partition: number
  headers: Record<string, string>
}

/** The first group of a new broker waits for its coordinator. */
const coordinatorRetries = { retries: 60, initialRetryTime: 100, maxRetryTime: 500 }

/** All that a topic holds now, partition by partition in the order of each: by a consumer group, as others read it. */
export const readTopic = async (brokers: string[], topic: string): Promise<ReadRecord[]> => {
  const kafka = new Kafka({ brokers, clientId: 'reader', logCreator: () => () => undefined })
  const admin = kafka.admin()
  await admin.connect()
  const missing = new Map<number, bigint>()
  for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
    if (high !== low) missing.set(partition, BigInt(high))
  await admin.disconnect()
  const records: ReadRecord[] = []
  if (missing.size === 0) return records
  const consumer = kafka.consumer({
    groupId: `reader-${crypto.randomUUID()}`,
    maxWaitTimeInMs: 50,
    retry: coordinatorRetries,
  })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    consumer.on('consumer.crash', ({ payload }) => !payload.restart && reject(payload.error))
    void consumer.run({
      autoCommit: false,
      async eachMessage({ partition, message }) {
        const { key, value, headers = {}, offset } = message
        const text = Object.entries(headers).map(([name, bytes]) => [name, String(bytes)])
        records.push({ partition, key: String(key), value: String(value), headers: Object.fromEntries(text) })
        if (BigInt(offset) + 1n >= (missing.get(partition) ?? 0n)) missing.delete(partition)
        if (missing.size === 0) resolve()
      },
    })
  })
  await consumer.disconnect()
  return records.sort((one, other) => one.partition - other.partition)
}
