import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import type { Position } from '@prosa/kernel/event-store/port'
import { logHeader, positionHeader, type TopicRecord } from './publisher/port.ts'

/** CloudEvents 1.0 over Kafka, binary mode: attributes are headers, the value is the data. */
export const topicRecord = (event: PublishedEvent, logId: string | undefined): TopicRecord => ({
  key: event.subject,
  value: JSON.stringify(event.data),
  headers: {
    'content-type': event.datacontenttype,
    ce_specversion: event.specversion,
    ce_id: event.id,
    ce_source: event.source,
    ce_type: event.type,
    ce_subject: event.subject,
    ce_time: event.time,
    [positionHeader]: event.position,
    ce_revision: String(event.revision),
    ...(event.tenant !== null && { ce_tenant: event.tenant }),
    ce_actor: event.actor,
    ...(logId !== undefined && { [logHeader]: logId }),
  },
  position: event.position as Position,
  timestamp: Date.parse(event.time),
})

/** A record batch is one request: below the limit of topics that we create, and far below it for small events. */
const maxChunkBytes = 512 * 1024
const maxChunk = 1000

const sizeOf = ({ value, key }: TopicRecord) => Buffer.byteLength(value) + key.length + 600

export const inChunks = (records: readonly TopicRecord[]): TopicRecord[][] => {
  const chunks: TopicRecord[][] = []
  let bytes = maxChunkBytes
  for (const record of records) {
    const size = sizeOf(record)
    if (bytes + size > maxChunkBytes || chunks.at(-1)?.length === maxChunk) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)?.push(record)
    bytes += size
  }
  return chunks
}
