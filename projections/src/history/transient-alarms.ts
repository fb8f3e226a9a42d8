import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { findTimelineOfEvents } from './queries.ts'
import { type ReadEvent, type Reader, readEvents } from './read-events.ts'
import type { Sentence } from './sentences/sentence.ts'
import { quoted } from './sentences/words.ts'

/** Until 2026-11-25 rebuilds failed on events with reasons, parked the account and resumed; the log lacks the error. */
const mayBePassing = (event: Stored): event is StoredOf<'WorkParked'> =>
  event.type === 'WorkParked' &&
  event.data.errorName === 'UndecodableEvent' &&
  event.data.worker.startsWith('projection ')

/** Its event has a reason and is readable today. */
export const transientAlarms = async (
  { pool, ...reader }: Reader & { pool: Pool },
  events: Iterable<ReadEvent>,
): Promise<Set<string>> => {
  const parkings = [...events].map(({ event }) => event).filter(mayBePassing)
  const blamed = await findTimelineOfEvents(
    pool,
    parkings.flatMap(({ data }) => data.eventId ?? []),
  )
  const read = await readEvents(reader, blamed)
  const isRead = (id: string | null) => id !== null && read.get(id)?.event.metadata.reason !== undefined
  return new Set(parkings.filter(({ data }) => isRead(data.eventId)).map(({ id }) => id))
}

export const transientAlarm = ({ data }: StoredOf<'WorkParked'>): Sentence => ({
  text: `A tabela de leitura ${quoted(data.worker.replace(/^projection /, ''))} deixou de ler, por um momento, um evento com motivo, que hoje se lê: nada se perdeu`,
  icon: 'work',
})
