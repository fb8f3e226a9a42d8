import type { Position } from '@prosa/kernel/event-store/port'
import type { LastRecord, Marks, Publisher, TopicRecord } from '../../publisher/port.ts'
import { inChunks, topicRecord } from '../../topic-record.ts'
import type { ReadEvent } from '../read-events.ts'
import { ReplayError } from '../replay-error.ts'
import { type Output, type Reached, reachedWith } from './output.ts'

/** Of each record: its number in the replay, and which replay it is of. */
export const replayMarks: Marks = { position: 'prosa_replay_number', log: 'prosa_replay' }
/** How far the records before those of the same request had come: JSON of `Reached` or `null`. */
const beforeHeader = 'prosa_replay_before'

const numberOf = (number: number) => String(number).padStart(16, '0') as Position

const begunAt = (topic: string, fingerprint: string, furthest: LastRecord | undefined): Reached | undefined => {
  if (!furthest) return undefined
  if (furthest.logId !== fingerprint)
    throw new ReplayError(`O tópico ${topic} tem eventos de outra pergunta: escolha outro.`)
  return JSON.parse(furthest.headers[beforeHeader] ?? 'null') ?? undefined
}

/**
 * Topic and state in one: the last record of each partition says what is there. Requests follow each other, so at most one of them is
 * there in part, and its records are skipped partition by partition. Throws `ReplayError` and `PublishingFailed`.
 */
export const kafkaOutput = async (publisher: Publisher, topic: string, fingerprint: string): Promise<Output> => {
  const writer = await publisher.open(topic)
  const never = new AbortController().signal
  let reached: Reached | undefined
  try {
    reached = begunAt(topic, fingerprint, writer.furthest)
  } catch (error) {
    await writer.close()
    throw error
  }

  const recordOf = ({ event }: ReadEvent, number: number): TopicRecord => {
    const record = topicRecord(event, undefined)
    const position = numberOf(number)
    return { ...record, position, headers: { ...record.headers, [replayMarks.position]: position } }
  }
  const isWritten = ({ key, position }: TopicRecord) => position <= (writer.lastPosition(key) ?? '')

  return {
    begun: reached,
    async write(events) {
      let number = reached?.events ?? 0
      let next = 0
      for (const chunk of inChunks(events.map((each) => recordOf(each, ++number)))) {
        const marks = { [replayMarks.log]: fingerprint, [beforeHeader]: JSON.stringify(reached ?? null) }
        const missing = chunk.filter((record) => !isWritten(record))
        if (missing.length > 0)
          await writer.write(
            missing.map((record) => ({ ...record, headers: { ...record.headers, ...marks } })),
            never,
          )
        reached = reachedWith(reached, events.slice(next, next + chunk.length))
        next += chunk.length
      }
    },
    async close() {
      await writer.close()
      return reached
    },
  }
}
