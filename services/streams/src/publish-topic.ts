import { type Category, categories } from '@prosa/contracts/streams'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { loadCheckpoint, saveInEpoch } from '@prosa/kernel/consumers/engine/checkpoints'
import { type ConsumeDeps, consume, type Handling, type Session } from '@prosa/kernel/consumers/engine/consume'
import { type ConsumerStatus, type ConsumerStatuses, statusOf } from '@prosa/kernel/consumers/engine/consumer-status'
import { beginning, type EventStore, type Position, PositionOfAnotherLog } from '@prosa/kernel/event-store/port'
import { LoggableError } from '@prosa/kernel/loggable-error'
import type { Publisher, TopicWriter } from './publisher/port.ts'
import { eventWriter, type WriteDeps } from './write-events.ts'

export interface PublishDeps extends ConsumeDeps, WriteDeps {
  publisher: Publisher
  /** First word of topics. */
  prefix: string
  /** After failures in a row; by default up to 30 s. */
  pauseMs?: (failures: number) => number
}

/** The topic has events of another log, or of a later state of this one: what it is to hold is not known. */
export class TopicOfAnotherLog extends LoggableError {
  override name = 'TopicOfAnotherLog'
}

export const topicOf = (prefix: string, category: Category): string => `${prefix}.${categories[category]}.${category}`

/** The checkpoint only says where to begin: what stands in the topic is skipped. */
const savingMs = 1000
/** Over events of other categories, which cost little to pass again. */
const passingMs = 15_000
const usualPause = { firstMs: 500, maxMs: 30_000 }
const version = 1

/** Whatever fails throws the producer away: the next session asks the topic what it holds. */
export const publishTopic = (
  category: Category,
  deps: PublishDeps,
  signal: AbortSignal,
  statuses: ConsumerStatuses,
): Promise<void> => {
  const topic = topicOf(deps.prefix, category)
  const status = statusOf(statuses, topic)
  const pauseMs = deps.pauseMs ?? ((failures) => backoffMs(failures, usualPause))
  let failures = 0
  const consumer = {
    kind: 'stream',
    name: topic,
    categories: [category],
    processes: 'one',
    pauseAfter: () => pauseMs(failures++),
  } as const
  const onWritten = () => {
    failures = 0
  }
  return consume(consumer, deps, (session) => openTopic(category, deps, status, session, onWritten), status, signal)
}

const openTopic = async (
  category: Category,
  deps: PublishDeps,
  status: ConsumerStatus,
  session: Session,
  onWritten: () => void,
): Promise<Handling> => {
  const topic = topicOf(deps.prefix, category)
  const writer = await deps.publisher.open(topic)
  try {
    const checkpoint = writer.isNew ? beginning : await loadCheckpoint(deps.pool, `stream ${topic}`, version)
    await refuseOtherLog(topic, [category], writer, deps)
    return publishing(topic, deps, { writer, checkpoint, status, session, onWritten })
  } catch (error) {
    await writer.close()
    throw error
  }
}

/** Else later events would seem to be written: after a backup was restored, or where two installations share a prefix. */
export const refuseOtherLog = async (
  topic: string,
  categories: readonly Category[],
  { furthest }: Pick<TopicWriter, 'furthest'>,
  { store, logId }: { store: EventStore; logId: string | undefined },
  remedy = 'choose another KAFKA_TOPIC_PREFIX',
): Promise<void> => {
  if (!furthest) return
  if (furthest.logId !== logId) throw new TopicOfAnotherLog(`${topic} has events of another log: ${remedy}`)
  try {
    for await (const _ of store.readAll(furthest.position, { categories })) return
  } catch (error) {
    if (!(error instanceof PositionOfAnotherLog)) throw error
    throw new TopicOfAnotherLog(`${topic} has events that this log does not have: ${remedy}`, { cause: error })
  }
}

interface Publishing {
  writer: TopicWriter
  checkpoint: Position
  status: ConsumerStatus
  session: Session
  onWritten: () => void
}

const publishing = (
  topic: string,
  deps: PublishDeps,
  { writer, checkpoint, status, session, onWritten }: Publishing,
): Handling => {
  const { furthest } = writer
  // A broker may have lost its end; below `furthest` nothing is written twice.
  const from = furthest && furthest.position < checkpoint ? furthest.position : checkpoint
  const name = `stream ${topic}`
  let [reached, saved, savedAt] = [from, from, 0]
  status.position = from

  const write = eventWriter(deps, {
    ...{ name, writer, session },
    // Where retention emptied a partition, or nobody wrote to it, the checkpoint counts.
    isWritten: ({ key, position }) => position <= (writer.lastPosition(key) ?? checkpoint),
  })
  const save = async () => {
    if (reached === saved) return
    await saveInEpoch(deps.pool, session.epoch, { name, version, position: reached })
    ;[saved, savedAt] = [reached, performance.now()]
  }
  return {
    from,
    async take({ events, upTo }) {
      await write(events)
      onWritten()
      status.events += events.length
      if (events.length > 0) status.batches++
      reached = upTo
      status.position = upTo
      if (performance.now() - savedAt >= (events.length > 0 ? savingMs : passingMs)) await save()
      return true
    },
    async finish() {
      await writer.close()
      if (session.isMine()) await save()
    },
  }
}
