import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Codec, Stored } from '../../event-store/codec.ts'
import { beginning, type EventStore, type Position } from '../../event-store/port.ts'
import { type Foldable, fold, type Typed } from '../decider.ts'
import { type AskState, askState } from './ask-state.ts'
import { hasEntries } from './entries.ts'
import { savePoint } from './save-point.ts'
import type { SavedStream, Snapshots } from './snapshots.ts'
import { type Loaded, type StateCache, stateCache } from './state-cache.ts'

export interface StreamStates<S> {
  nothing(): Loaded<S>
  cached(stream: string): Loaded<S> | undefined
  /** From the cached state, or from the table; fetches entries for `message`. */
  readOn(stream: string, asOf?: Position, message?: Typed): Promise<Loaded<S>>
  /** Entries are those of now, not of the revision. */
  at(stream: string, revision: bigint): Promise<S>
  /** 'outdated': read on first. */
  ask: AskState<S>['ask']
  put(stream: string, loaded: Loaded<S>): Loaded<S>
}

export interface StreamStatesDeps<E extends AnyEvent, S> {
  store: EventStore
  codec: Codec
  reader: Foldable<E, S>
  /** Others are neither decoded nor folded; all by default. */
  isFolded?: (type: string) => boolean
  snapshots: Snapshots | undefined
  cacheBytes: number
  /** See `StateCacheDeps`; only tests change it. */
  eventsBetweenSaves?: number | undefined
}

const maxAttempts = 20

const isAt = ({ revision }: Loaded<unknown>, end: bigint) => revision !== 'no_stream' && revision >= end

type Folding<E extends AnyEvent, S> = Pick<StreamStatesDeps<E, S>, 'store' | 'codec' | 'reader'> & {
  isFolded: (type: string) => boolean
}

/** Folds what a stream has after a state, with saves of its own in a long one. */
const streamReader = <E extends AnyEvent, S>(
  { store, codec, reader, isFolded }: Folding<E, S>,
  { ask, withEntriesOf }: AskState<S>,
  memory: StateCache<S>,
) => {
  const foldPage = async (stream: string, given: Loaded<S>, events: readonly Stored<E>[], message?: Typed) => {
    const loaded = await withEntriesOf(stream, given, message ? [...events, message] : events)
    if (loaded === 'outdated') return loaded
    return ask(stream, loaded, undefined, (state) => fold(reader, state, events))
  }

  /** Unless `isCertain`, checks the last event: a restored log may lack it. */
  return async (stream: string, start: Loaded<S>, isCertain: boolean, end?: bigint, message?: Typed) => {
    let loaded = start
    let isChecked = isCertain
    const after = loaded.revision === 'no_stream' ? 0n : loaded.revision + 1n
    for await (const page of store.read(stream, { from: isChecked ? after : after - 1n })) {
      if (!isChecked && page[0]?.id !== loaded.eventId) return 'not of this log'
      const fresh = isChecked ? page : page.slice(1)
      isChecked = true
      if (end !== undefined && isAt(loaded, end)) return loaded
      const wanted = end === undefined ? fresh : fresh.filter(({ revision }) => revision <= end)
      const last = wanted.at(-1)
      if (!last) continue
      const events = (await codec.decode(wanted.filter(({ type }) => isFolded(type)))) as Stored<E>[]
      const folded = await foldPage(stream, loaded, events, message)
      if (folded === 'outdated') return folded
      const { id: eventId, revision, position } = last
      loaded = {
        ...folded.loaded,
        state: folded.answer,
        revision,
        eventId,
        position,
        seenTo: position,
        tenant: loaded.tenant === undefined ? last.metadata.tenant : loaded.tenant,
      }
      if (end !== undefined && isAt(loaded, end)) return loaded
      if (end !== undefined || !memory.isDue(stream, loaded)) continue
      const saved = await memory.save(stream, loaded)
      if (saved === 'outdated') return saved
      loaded = saved
    }
    return isChecked ? loaded : 'not of this log'
  }
}

export const streamStates = <E extends AnyEvent, S>({
  store,
  codec,
  reader,
  isFolded = () => true,
  snapshots: given,
  cacheBytes,
  eventsBetweenSaves,
}: StreamStatesDeps<E, S>): StreamStates<S> => {
  const { saving } = reader
  const snapshots = saving && given
  const nothing = (): Loaded<S> => ({
    state: reader.initial,
    revision: 'no_stream',
    eventId: null,
    position: null,
    seenTo: beginning,
    tenant: undefined,
    point: savePoint(),
  })
  const savedStream = (stream: string): SavedStream => {
    if (!saving) throw new Error('this stream has no snapshots')
    return { stream, saving }
  }
  const memory = stateCache<S>({ snapshots, savedStream, cacheBytes, eventsBetweenSaves })

  const asking = askState<S>({ snapshots, savedStream, saving, forget: memory.forget })

  const readFrom = streamReader({ store, codec, reader, isFolded }, asking, memory)

  const fromTable = async (stream: string, upTo?: bigint): Promise<Loaded<S> | undefined> => {
    const found = await snapshots?.load(savedStream(stream), upTo)
    if (!found) return undefined
    const { head, state, saved } = found
    const { revision, eventId, position, tenant } = head
    return { state: state as S, revision, eventId, position, seenTo: position, tenant, point: savePoint(saved) }
  }

  /** Retries when outdated, or when the log lacks the event. */
  const load = async (stream: string, end?: bigint, message?: Typed): Promise<Loaded<S>> => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const known = end === undefined ? memory.get(stream) : undefined
      const found = known ?? (await fromTable(stream, end))
      const start = found ?? nothing()
      const loaded = await readFrom(stream, start, found === undefined || found === known, end, message)
      if (typeof loaded !== 'string') return loaded
      memory.forget(stream, start)
      const { saved } = start.point
      if (loaded === 'not of this log' && saved) await snapshots?.discard(savedStream(stream), saved.lineage)
    }
    throw new Error('a stream changed each time its state was read')
  }

  return {
    nothing,
    cached: memory.get,
    async readOn(stream, asOf = beginning, message) {
      let loaded = await load(stream, undefined, message)
      // A reactor has seen the log up to its event.
      if (asOf > loaded.seenTo) loaded = { ...loaded, seenTo: asOf }
      if (message && loaded.point.saved) {
        const asked = await asking.ask(stream, loaded, message, () => undefined)
        if (asked !== 'outdated') ({ loaded } = asked)
      }
      return memory.put(stream, loaded)
    },
    async at(stream, revision) {
      const isSplit = hasEntries(reader.initial)
      return (await (isSplit ? load(stream) : load(stream, revision))).state
    },
    ask: asking.ask,
    put: memory.put,
  }
}
