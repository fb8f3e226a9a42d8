import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Category, streamName } from '@prosa/contracts/streams'
import type { Codec } from '../event-store/codec.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import { fold, type Reader } from './decider.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import { type StreamStates, streamStates } from './snapshots/stream-states.ts'

/** The state of one stream of another service. */
export interface ReadFold<S> {
  /** The initial state for a missing stream or another tenant's. */
  load(id: string, tenant: string | null): Promise<S>
}

interface ReadDeps {
  store: EventStore
  codec: Codec
}

const maxAttempts = 50
const maxCachedBytes = 32 * 1024 * 1024

export const loadState = async <S>(
  states: StreamStates<S>,
  initial: S,
  stream: string,
  tenant: string | null,
  ask: (state: S) => unknown = () => undefined,
): Promise<S> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const loaded = await states.readOn(stream)
    if (loaded.tenant !== undefined && loaded.tenant !== tenant) return initial
    const asked = await states.ask(stream, loaded, undefined, ask)
    if (asked === 'outdated') continue
    if (asked.loaded !== loaded) states.put(stream, asked.loaded)
    return asked.loaded.state
  }
  throw new Error(`${stream}: another process saved a newer state at each attempt to read it`)
}

/** Cached; each read includes everything stored before it. Skips event types that the reader does not name. */
export const readFold = <E extends AnyEvent, S>(
  { store, codec, snapshots }: ReadDeps & { snapshots?: Snapshots | undefined },
  category: Category,
  reader: Reader<E, S>,
): ReadFold<S> => {
  const isFolded = (type: string) => Object.hasOwn(reader.evolve, type)
  const states = streamStates<E, S>({ store, codec, reader, isFolded, snapshots, cacheBytes: maxCachedBytes })
  return { load: (id, tenant) => loadState(states, reader.initial, streamName(category, id), tenant) }
}

export interface BackRead<S> {
  id: string
  tenant: string | null
  /** After each page: true if older events cannot matter. */
  isDone(state: S, page: readonly RecordedEvent[]): boolean
  maxEvents?: number
}

/** Folds from the newest event back, for long streams of which only the end matters. */
export const readFoldBack = async <E extends AnyEvent, S>(
  { store, codec }: ReadDeps,
  category: Category,
  reader: Reader<E, S>,
  { id, tenant, isDone, maxEvents = Number.POSITIVE_INFINITY }: BackRead<S>,
): Promise<S> => {
  let state = reader.initial
  let read = 0
  for await (const page of store.readBack(streamName(category, id))) {
    if (page[0]?.metadata.tenant !== tenant) return reader.initial
    const events = await codec.decode(page.filter(({ type }) => Object.hasOwn(reader.evolve, type)))
    state = fold(reader, state, events as unknown as E[])
    read += page.length
    if (read >= maxEvents || isDone(state, page)) break
  }
  return state
}
