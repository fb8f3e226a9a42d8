import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Category, streamName } from '@prosa/contracts/streams'
import { type Foldable, fold } from '../domain/decider.ts'
import { type Entries, entryOf, hasEntries, requireEntries } from '../domain/snapshots/entries.ts'
import { streamStates } from '../domain/snapshots/stream-states.ts'
import { eventCodec } from '../event-store/codec.ts'
import type { Ports } from '../ports.ts'
import { personalEncryption } from '../privacy/personal-encryption.ts'

type SavingPorts = Pick<Ports, 'store' | 'clock' | 'subjectKeys' | 'box' | 'snapshots'>

const everyKey = ({ changed, fetched }: Entries) => [...new Set([...changed.keys(), ...fetched.keys()])].sort()

const plain = (state: unknown, keys: readonly string[]): unknown => {
  if (!hasEntries(state)) return state
  const { entries, ...rest } = state
  return { ...rest, count: entries.count, entries: keys.map((key) => [key, entryOf(entries, key)]) }
}

/** At each cut a new process loads and saves a snapshot. Returns the last loaded state and the full fold. */
export const savedAtCuts = async <E extends AnyEvent, S>(
  { store, clock, subjectKeys, box, snapshots }: SavingPorts,
  { decider, category, tenant = randomUUID() }: { decider: Foldable<E, S>; category: Category; tenant?: string },
  history: readonly NoInfer<E>[],
  cuts: readonly number[],
): Promise<{ loaded: unknown; folded: unknown }> => {
  const { saving } = decider
  if (!saving) throw new Error('this decider saves nothing')
  const id = randomUUID()
  const stream = streamName(category, id)
  const codec = eventCodec({ personal: personalEncryption(subjectKeys, box) })
  await subjectKeys.toEncrypt([saving.subject({ id, tenant })])
  const newProcess = () => streamStates({ store, codec, reader: decider, snapshots, cacheBytes: 32 * 1024 * 1024 })

  let length = 0
  const appendUpTo = async (end: number) => {
    const events = history.slice(length, end)
    if (events.length === 0) return
    const metadata = {
      actor: { kind: 'system', id: 'test' } as const,
      tenant,
      causationId: id,
      correlationId: id,
      recordedAt: clock.now(),
    }
    const encoded = await codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
    const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
    if (!appended.ok) throw new Error('somebody else writes to this stream')
    length += events.length
  }

  for (const cut of cuts.toSorted((one, other) => one - other)) {
    await appendUpTo(cut)
    const { state, revision, eventId, position, point } = await newProcess().readOn(stream)
    if (revision === 'no_stream' || eventId === null || position === null) continue
    const { saved } = point
    if (saved?.revision === revision) continue
    const done = await snapshots.save(
      { stream, saving },
      { head: { revision, eventId, position, tenant }, state, saved },
    )
    if (done === undefined || done === 'superseded') throw new Error('a state was not saved')
  }
  await appendUpTo(history.length)

  const folded = fold(decider, decider.initial, history)
  const keys = hasEntries(folded) ? everyKey(folded.entries) : []
  const last = newProcess()
  const asked = await last.ask(stream, await last.readOn(stream), undefined, (state) => {
    if (hasEntries(state)) requireEntries(state.entries, keys)
  })
  if (asked === 'outdated') throw new Error('nobody else saves this state')
  return { loaded: plain(asked.loaded.state, keys), folded: plain(folded, keys) }
}
