import { contactSubject, type Subject, userSubject } from '@prosa/contracts/events/subjects'
import { publishedStreams } from '@prosa/contracts/published/catalogue'
import { tenantOf } from '@prosa/contracts/published/published-of'
import { parseStream } from '@prosa/contracts/streams'
import { pause } from '@prosa/kernel/async/pause'
import { batches } from '@prosa/kernel/consumers/engine/batches'
import { loadCheckpoint, saveInEpoch } from '@prosa/kernel/consumers/engine/checkpoints'
import { consume } from '@prosa/kernel/consumers/engine/consume'
import { type ConsumerStatuses, statusOf } from '@prosa/kernel/consumers/engine/consumer-status'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { cacheMs } from '@prosa/kernel/privacy/subject-keys'
import { tidyDropped } from './day-files.ts'
import { platform } from './make-day.ts'
import { type DayOfReader, dropDays, dropDaysSince } from './queries.ts'

export interface DropOptions {
  /** How long processes may still decrypt what was erased. */
  cachedMs?: number
  /** A reactor deletes the key after the event; then it is not waited for any longer. */
  maxWaitMs?: number
}

const name = 'stream days'
const version = 1
const pollMs = 1000
const usualMaxWaitMs = 10 * 60_000
const passingMs = 15_000

const dayOf = ({ metadata }: RecordedEvent): string => metadata.recordedAt.slice(0, 10)
const bothReaders = (tenant: string | null, day: string): DayOfReader[] => [
  { reader: platform, day },
  ...(tenant === null ? [] : [{ reader: tenant, day }]),
]

const isErasure = ({ type }: RecordedEvent): boolean => type === 'ContactErased' || type === 'UserErased'

/** Drops twice: at once, and once no process can read what was erased any more. */
const dropErased = (ports: Ports, { cachedMs = cacheMs + 5000, maxWaitMs = usualMaxWaitMs }: DropOptions) => {
  const { pool, store, subjectKeys } = ports
  /** Contents of a contact are in these streams alone. */
  const dropContact = async (contactId: string, tenant: string | null) => {
    const days = new Map<string, DayOfReader[]>()
    for (const category of ['contact', 'chat', 'flowRun'])
      for await (const page of store.read(`${category}-${contactId}`))
        for (const event of page) days.set(dayOf(event), bothReaders(tenant, dayOf(event)))
    await dropDays(pool, [...days.values()].flat())
  }
  /** The tenant's pseudonyms are others now. */
  const dropTenant = async (userId: string) => {
    await dropDaysSince(pool, { reader: userId, day: '' })
    for await (const [first] of store.read(`user-${userId}`, { max: 1 }))
      if (first) await dropDaysSince(pool, { reader: platform, day: dayOf(first) })
  }
  /** Whoever reads after this does not see them any more. */
  const forgotten = async (subjects: readonly Subject[], until: AbortSignal) => {
    const deadline = performance.now() + maxWaitMs
    while (performance.now() < deadline && !until.aborted) {
      if ((await subjectKeys.current(subjects)).size === 0) break
      await pause(pollMs, until)
    }
    await pause(cachedMs, until)
  }
  /** One wait for all: an erased account has as many erasures as contacts. */
  return async (erasures: readonly RecordedEvent[], until: AbortSignal) => {
    if (erasures.length === 0) return
    const drop = async () => {
      for (const event of erasures) {
        const { id } = parseStream(event.stream)
        await (event.type === 'UserErased' ? dropTenant(id) : dropContact(id, tenantOf(event)))
      }
    }
    await drop()
    await tidyDropped(ports)
    await forgotten(
      erasures.map(({ type, stream }) => {
        const { id } = parseStream(stream)
        return type === 'UserErased' ? userSubject(id) : contactSubject(id)
      }),
      until,
    )
    if (!until.aborted) await drop()
  }
}

/** Files hold what the log says: days get new ones where an event comes late, or is of a person who was erased. */
export const keepDaysTrue = (
  ports: Ports,
  signal: AbortSignal,
  statuses: ConsumerStatuses,
  options: DropOptions = {},
): Promise<void> => {
  const { pool, clock } = ports
  const erase = dropErased(ports, options)
  const status = statusOf(statuses, name)

  const late = (events: readonly RecordedEvent[]): DayOfReader[] => {
    const today = clock.now().slice(0, 10)
    const days = new Map<string, DayOfReader>()
    for (const event of events)
      if (dayOf(event) < today)
        for (const each of bothReaders(tenantOf(event), dayOf(event))) days.set(`${each.day} ${each.reader}`, each)
    return [...days.values()]
  }

  const strategy = batches(async ({ epoch, until }) => {
    await tidyDropped(ports)
    let reached = await loadCheckpoint(pool, name, version)
    const save = async (position: Position) => {
      await saveInEpoch(pool, epoch, { name, version, position })
      reached = position
      status.position = position
    }
    return {
      from: reached,
      reached: () => reached,
      async take(events, upTo) {
        await dropDays(pool, late(events))
        await erase(events.filter(isErasure), until)
        if (until.aborted) return false
        await tidyDropped(ports)
        await save(upTo)
        status.events += events.length
        return true
      },
      pass: save,
      passing: { afterMs: passingMs },
    }
  })
  const concerns = (event: RecordedEvent) => isErasure(event) || dayOf(event) < clock.now().slice(0, 10)
  const consumer = { kind: 'stream', name, categories: publishedStreams, concerns, processes: 'one' } as const
  return consume(consumer, ports, strategy, status, signal)
}
