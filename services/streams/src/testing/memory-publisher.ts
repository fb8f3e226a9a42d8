import type { Position } from '@prosa/kernel/event-store/port'
import { logMarks, type Marks, type Publisher, PublishingFailed, type TopicRecord } from '../publisher/port.ts'
import type { ReadRecord } from './read-topic.ts'

export interface MemoryPublisher extends Publisher {
  read(topic: string): readonly ReadRecord[]
  /** As after a time without writers, in which retention removed everything. */
  expire(topic: string): void
  /** Every call fails until it is false again. */
  refuse(yes: boolean): void
  /** The next write stores so many of its records, then fails. */
  breakAfter(records: number): void
}

const partitions = 3
const partitionOf = (key: string) => [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % partitions

interface Topic {
  records: ReadRecord[]
  written: number
}

/** The port's contract without a broker, for the faults that one cannot be asked for. */
export const memoryPublisher = (marks: Marks = logMarks): MemoryPublisher => {
  const topics = new Map<string, Topic>()
  let isRefusing = false
  let breaksAfter: number | undefined
  const check = () => {
    if (isRefusing) throw new PublishingFailed('refused')
  }
  const opened = (name: string) => {
    const topic = topics.get(name) ?? { records: [], written: 0 }
    topics.set(name, topic)
    return topic
  }
  const lastOf = (records: readonly ReadRecord[]) => {
    const last = records.toSorted((one, other) =>
      (one.headers[marks.position] ?? '') < (other.headers[marks.position] ?? '') ? -1 : 1,
    )
    return last.at(-1)?.headers
  }
  return {
    async open(name) {
      check()
      if (!/^[\w.-]+$/.test(name)) throw new PublishingFailed('no name of a topic')
      const topic = opened(name)
      const atOpening = [...topic.records]
      const last = lastOf(atOpening)
      let isBroken = false
      return {
        isNew: topic.written === 0,
        records: BigInt(topic.written),
        furthest: last && { position: last[marks.position] as Position, logId: last[marks.log], headers: last },
        lastPosition: (key) =>
          lastOf(atOpening.filter(({ partition }) => partition === partitionOf(key)))?.[marks.position] as
            | Position
            | undefined,
        async write(records: readonly TopicRecord[]) {
          check()
          if (isBroken) throw new PublishingFailed('closed')
          const stored = records.slice(0, breaksAfter)
          topic.records.push(
            ...stored.map(({ key, value, headers }) => ({ key, value, headers, partition: partitionOf(key) })),
          )
          topic.written += stored.length
          if (breaksAfter === undefined) return
          breaksAfter = undefined
          isBroken = true
          throw new PublishingFailed('broken')
        },
        async close() {
          isBroken = true
        },
      }
    },
    read: (topic) => opened(topic).records.toSorted((one, other) => one.partition - other.partition),
    expire(topic) {
      opened(topic).records = []
    },
    refuse(yes) {
      isRefusing = yes
    },
    breakAfter(records) {
      breaksAfter = records
    },
  }
}
