import type { Session } from '@prosa/kernel/consumers/engine/consume'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import { Overtaken } from '@prosa/kernel/consumers/engine/epochs'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import type { PublishEvents } from '@prosa/product/publishing/publish-events'
import type { TopicRecord, TopicWriter } from './publisher/port.ts'
import { inChunks, topicRecord } from './topic-record.ts'

export interface WriteDeps {
  codec: Codec
  publish: PublishEvents
  /** Of the log that is read; undefined where it bears none. */
  logId: string | undefined
}

export interface Writing {
  /** For the error where another process took over. */
  name: string
  writer: TopicWriter
  session: Pick<Session, 'isMine' | 'until'>
  isWritten: (record: TopicRecord) => boolean
  /** Of each record, beside its own. */
  headers?: Readonly<Record<string, string>>
}

/** So many are prepared while the broker has those before them. */
const atOnce = 1000

/** Writes events that follow each other; what the topic has is left out. Throws at an event that cannot be decoded, with those before it written. */
export const eventWriter = ({ codec, publish, logId }: WriteDeps, writing: Writing) => {
  const { name, writer, session, isWritten, headers } = writing
  const recordsOf = async (events: readonly Stored[]): Promise<TopicRecord[]> => {
    const published = await publish(events)
    return published.flatMap((event) => {
      if (!event) return []
      const record = topicRecord(event, logId)
      return isWritten(record) ? [] : [headers ? { ...record, headers: { ...record.headers, ...headers } } : record]
    })
  }
  const send = async (records: readonly TopicRecord[]): Promise<void> => {
    for (const chunk of inChunks(records)) {
      if (!session.isMine()) throw new Overtaken(`${name} is run by another process`)
      await writer.write(chunk, session.until)
    }
  }
  return async (events: readonly RecordedEvent[]): Promise<void> => {
    let sending: Promise<void> = Promise.resolve()
    for (let from = 0; from < events.length; from += atOnce) {
      const { decoded, fault } = await decodeUntilFault(codec, events.slice(from, from + atOnce))
      const records = await recordsOf(decoded)
      await sending
      sending = send(records)
      // The error is thrown where it is awaited.
      sending.catch(() => undefined)
      if (!fault) continue
      await sending
      throw fault.error
    }
    await sending
  }
}

/** What cannot be decoded stops the topic there, as a later release may have written it: nothing is left out. */
const decodeUntilFault = async (codec: Codec, events: readonly RecordedEvent[]) => {
  const decoded: Stored[] = []
  for (const { outcome } of await decodeEach(codec, events)) {
    if ('error' in outcome) return { decoded, fault: outcome }
    decoded.push(outcome.event)
  }
  return { decoded, fault: undefined }
}
