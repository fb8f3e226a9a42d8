import type { ResolvedEvent } from '@eventstore/db-client'
import type { Json } from '../../json.ts'
import type { EventText } from '../append-request.ts'
import type { RecordedEvent } from '../port.ts'
import { fromStored, fromStoredObject } from '../stored-metadata.ts'
import { positionOf } from './position.ts'

export type Received = NonNullable<ResolvedEvent['event']>

export const numericPositionOfReceived = ({ position, streamId, revision }: Received): bigint => {
  if (!position) throw new Error(`the server gave no position for ${streamId}@${revision}: it is older than 22.6`)
  return position.commit
}

export const recordedEvent = (received: Received): RecordedEvent => {
  const { id, type, data, metadata, streamId, revision } = received
  if (!isObject(data) || !isObject(metadata)) throw new Error(`${streamId}@${revision} was not written by this product`)
  return {
    id,
    type,
    data: data as { [key: string]: Json },
    metadata: fromStoredObject(metadata as object),
    stream: streamId,
    revision,
    position: positionOf(numericPositionOfReceived(received)),
  }
}

/** Text, so that readers parse their own copies. */
export interface CachedEvent extends EventText {
  stream: string
  revision: bigint
  numericPosition: bigint
}

export const cachedEvent = (received: Received): CachedEvent => ({
  stream: received.streamId,
  revision: received.revision,
  numericPosition: numericPositionOfReceived(received),
  id: received.id,
  type: received.type,
  data: JSON.stringify(received.data),
  metadata: JSON.stringify(received.metadata ?? null),
})

export const recordedFromCached = ({
  stream,
  revision,
  numericPosition,
  id,
  type,
  data,
  metadata,
}: CachedEvent): RecordedEvent => {
  const parsed = { data: JSON.parse(data), metadata: fromStored(metadata) }
  if (!isObject(parsed.data) || !isObject(parsed.metadata))
    throw new Error(`${stream}@${revision} was not written by this product`)
  return {
    id,
    type,
    data: parsed.data,
    metadata: parsed.metadata,
    stream,
    revision,
    position: positionOf(numericPosition),
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
