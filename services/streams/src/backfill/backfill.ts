import { publishedStreams } from '@prosa/contracts/published/catalogue'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { loadCheckpoint, removeCheckpoint, saveInEpoch } from '@prosa/kernel/consumers/engine/checkpoints'
import { consume, type Handling, type Session } from '@prosa/kernel/consumers/engine/consume'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import { UndecodableEvent } from '@prosa/kernel/event-store/codec'
import { beginning, PositionOfAnotherLog } from '@prosa/kernel/event-store/port'
import { type PublishDeps, refuseOtherLog, TopicOfAnotherLog, topicOf } from '../publish-topic.ts'
import { OtherWriterRecords, type TopicWriter } from '../publisher/port.ts'
import { eventWriter } from '../write-events.ts'
import {
  CannotBackfill,
  fingerprintOf,
  type Measured,
  measureRange,
  type Range,
  type SelectedEvents,
  selectionOf,
} from './range.ts'

/** Of each record: which range it was written for. */
const rangeHeader = 'prosa_backfill'
const savingMs = 1000
const usualPause = { firstMs: 500, maxMs: 30_000 }
const version = 1

export interface BackfillDeps extends PublishDeps {
  /** Events of the range that the topic has, and all of them. */
  onProgress?: (done: number, total: number) => void
  /** Before it is tried again. */
  onTrouble?: (error: unknown) => void
}

export interface Backfilled {
  isComplete: boolean
  /** Of the range, in the log. */
  events: number
}

interface Task {
  topic: string
  selected: SelectedEvents
  measured: Measured
  fingerprint: string
}

const nameOf = (topic: string) => `backfill ${topic}`

/**
 * Writes a range of the log into a topic of its own, each event once and in order per key, while topics are published beside it. Another run of
 * the same range goes on where one ended. Throws `CannotBackfill`, also where the topic took another number of records.
 */
export const backfill = async (
  topic: string,
  range: Range,
  deps: BackfillDeps,
  signal: AbortSignal,
): Promise<Backfilled> => {
  const { store, pool, publisher, prefix, logId } = deps
  if (publishedStreams.some((category) => topicOf(prefix, category) === topic))
    throw new CannotBackfill(`${topic} is published all the time: choose another topic.`)
  const selected = selectionOf(range)
  const measured = await measureRange(store, selected, range.upTo, signal).catch((error: unknown) => {
    if (!(error instanceof PositionOfAnotherLog)) throw error
    throw new CannotBackfill('The log has no event of this position.', { cause: error })
  })
  const { events } = measured
  if (signal.aborted) return { isComplete: false, events }
  const isWritten = await writeRange(
    { topic, selected, measured, fingerprint: fingerprintOf(range, logId) },
    deps,
    signal,
  )
  if (!isWritten) return { isComplete: false, events }
  const writer = await publisher.open(topic)
  await writer.close()
  if (writer.records !== BigInt(events))
    throw new CannotBackfill(`${topic} took ${writer.records} records, and the range has ${events} events.`)
  await removeCheckpoint(pool, nameOf(topic))
  return { isComplete: true, events }
}

/** Later attempts would end the same. */
const isFinal = (error: unknown): boolean =>
  [CannotBackfill, OtherWriterRecords, TopicOfAnotherLog, UndecodableEvent].some((kind) => error instanceof kind)

/** False where the signal aborted first. */
const writeRange = async (task: Task, deps: BackfillDeps, signal: AbortSignal): Promise<boolean> => {
  const { topic, selected } = task
  const over = new AbortController()
  let outcome: { error?: unknown } | undefined
  const end = (found: { error?: unknown }) => {
    outcome ??= found
    over.abort()
  }
  const { pauseMs = (times) => backoffMs(times, usualPause) } = deps
  let failures = 0
  const consumer = {
    ...{ kind: 'backfill', name: topic, categories: selected.categories, concerns: selected.isSelected },
    processes: 'one' as const,
    pauseAfter(error: unknown) {
      if (isFinal(error)) end({ error })
      else deps.onTrouble?.(error)
      return pauseMs(failures++)
    },
  }
  const onWritten = () => {
    failures = 0
  }
  const strategy = (session: Session) => openTopic(task, deps, session, onWritten, () => end({}))
  await consume(consumer, deps, strategy, newStatus(), AbortSignal.any([signal, over.signal]))
  if (outcome?.error) throw outcome.error
  return outcome !== undefined
}

const openTopic = async (
  { topic, selected, measured, fingerprint }: Task,
  deps: BackfillDeps,
  session: Session,
  onWritten: () => void,
  onEnd: () => void,
): Promise<Handling> => {
  const writer = await deps.publisher.open(topic)
  try {
    await refuseOtherRecords(topic, fingerprint, selected, writer, deps)
    const name = nameOf(topic)
    const saved = writer.isNew ? beginning : await loadCheckpoint(deps.pool, name, version)
    // A broker may have lost its end; a checkpoint of another range may be left.
    const { furthest } = writer
    const checkpoint = furthest && saved > selected.from ? saved : selected.from
    const from = furthest && furthest.position < checkpoint ? furthest.position : checkpoint
    const write = eventWriter(deps, {
      ...{ name, writer, session, headers: { [rangeHeader]: fingerprint } },
      isWritten: ({ key, position }) => position <= (writer.lastPosition(key) ?? selected.from),
    })
    let [done, savedAt] = [Number(writer.records), performance.now()]
    return {
      from,
      async take({ events, upTo, live }) {
        const wanted = events.filter(({ position }) => position <= measured.end)
        await write(wanted)
        onWritten()
        done += wanted.length
        deps.onProgress?.(Math.min(done, measured.events), measured.events)
        if (upTo >= measured.end || live) onEnd()
        else if (performance.now() - savedAt > savingMs) {
          await saveInEpoch(deps.pool, session.epoch, { name, version, position: upTo })
          savedAt = performance.now()
        }
        return true
      },
      finish: () => writer.close(),
    }
  } catch (error) {
    await writer.close()
    throw error
  }
}

const refuseOtherRecords = async (
  topic: string,
  fingerprint: string,
  { categories }: SelectedEvents,
  writer: TopicWriter,
  deps: BackfillDeps,
): Promise<void> => {
  const { furthest } = writer
  if (furthest && furthest.headers[rangeHeader] !== fingerprint)
    throw new CannotBackfill(`${topic} has records of something else than this range: choose another topic.`)
  await refuseOtherLog(topic, categories, writer, deps, 'choose another topic')
}
