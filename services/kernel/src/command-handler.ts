import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { type Category, streamName } from '@prosa/contracts/streams'
import type { Clock } from './clock.ts'
import { type Decider, decide, fold, type Typed } from './decider.ts'
import { deriveId } from './derive-id.ts'
import type { Codec, Stored } from './event-store/codec.ts'
import { beginning, type EventStore, type ExpectedRevision, type Position } from './event-store/port.ts'
import { lruMap } from './lru-map.ts'

/** Who asks, for whom, and because of what. `commandId` names the intent: the same id leads to the same event ids. */
export interface CommandContext {
  commandId: string
  /** The same command may have been carried out before: the stream is looked through for its events first. */
  repeated?: boolean
  /**
   * The place of the event that leads to the command. Where nothing is to be done, it is then enough to know that the stream did
   * not change up to there, as far as this process follows the log; without it the stream is looked at as it is now.
   */
  asOf?: Position
  actor: Actor
  owner: string | null
  causationId: string
  correlationId: string
  reason?: string
}

export type Outcome<E, S, R> =
  /** `events` are those that this call stored (none when the intent held already); `position` is that of the stream's end. */
  { ok: true; events: readonly E[]; state: S; position: Position | null } | { ok: false; rejected: R }

export interface CommandHandler<C extends Typed, E, S, R> {
  /** Reads the stream, decides and appends; a conflict is decided again. */
  (id: string, command: C, context: CommandContext): Promise<Outcome<E, S, R>>
  /** The outcome of this very command, if it was carried out before; `type` is the command's. */
  earlier(id: string, type: C['type'], context: CommandContext): Promise<Outcome<E, S, R> | undefined>
  /** What the stream says now; the initial state when it is missing or belongs to another tenant than `owner`. */
  load(id: string, owner: string | null): Promise<S>
}

export interface CommandHandlerDeps<C extends Typed, E extends AnyEvent, S, R extends string> {
  store: EventStore
  codec: Codec
  clock: Clock
  category: Category
  decider: Decider<C, E, S, R>
  /** What a command to another tenant's stream hears: the same as for a stream that does not exist. */
  foreign: R
  /** How many events the states kept in memory were folded from, together; a million unless said. */
  rememberedEvents?: number
}

interface Loaded<S> {
  state: S
  revision: ExpectedRevision
  position: Position | null
  /** Up to where in the log the stream is known to hold no more than this. */
  seenTo: Position
  /** The tenant of the stream's first event; undefined while there is none. */
  owner: string | null | undefined
}

const maxAttempts = 50
/** A chat's state has some 200 bytes for each message: with a million events 200 MB at most, and 10,000 streams. */
const eventsInMemory = 1_000_000
const leastWeight = 100

/**
 * Read, fold, decide, append at the read revision; on a conflict, read on and decide again. States are kept in memory and
 * only read on from where they stand, which is safe because the append names its revision. Commands to one stream queue up
 * within the process, so that a busy stream does not fight itself. A stream belongs to the tenant of its first event: for
 * everybody else it does not exist. Throws when the store is out of reach.
 */
export const commandHandler = <C extends Typed, E extends AnyEvent, S, R extends string>({
  store,
  codec,
  clock,
  category,
  decider,
  foreign,
  rememberedEvents = eventsInMemory,
}: CommandHandlerDeps<C, E, S, R>): CommandHandler<C, E, S, R> => {
  const cache = lruMap<string, Loaded<S>>(rememberedEvents, (_, { revision }) =>
    Math.max(leastWeight, revision === 'no_stream' ? 0 : Number(revision) + 1),
  )
  const queues = new Map<string, Promise<unknown>>()
  const nothing: Loaded<S> = {
    state: decider.initial,
    revision: 'no_stream',
    position: null,
    seenTo: beginning,
    owner: undefined,
  }

  const readOn = async (stream: string, asOf: Position = beginning): Promise<Loaded<S>> => {
    let loaded = cache.get(stream) ?? nothing
    const from = loaded.revision === 'no_stream' ? 0n : loaded.revision + 1n
    for await (const page of store.read(stream, { from })) {
      const last = page.at(-1)
      if (!last) continue
      const events = (await codec.decode(page)) as Stored<E>[]
      loaded = {
        state: fold(decider, loaded.state, events),
        revision: last.revision,
        position: last.position,
        seenTo: last.position,
        owner: loaded.owner === undefined ? last.metadata.owner : loaded.owner,
      }
    }
    // Who reacts to an event reads what was stored before it.
    if (asOf > loaded.seenTo) loaded = { ...loaded, seenTo: asOf }
    if (loaded.revision !== 'no_stream') cache.set(stream, loaded)
    return loaded
  }

  /** The outcome of the same command when its events stand in the stream: the state is the one that they led to. */
  const findEarlier = async (
    stream: string,
    type: C['type'],
    { commandId, owner }: CommandContext,
  ): Promise<Outcome<E, S, R> | undefined> => {
    let { state } = nothing
    let found: Outcome<E, S, R> | undefined
    let next = 0
    for await (const page of store.read(stream)) {
      if (page[0]?.revision === 0n && page[0].metadata.owner !== owner) return undefined
      for (const event of (await codec.decode(page)) as Stored<E>[]) {
        const isOurs = event.id === deriveId(commandId, stream, type, next)
        if (found && !isOurs) return found
        state = fold(decider, state, [event])
        if (!isOurs) continue
        next += 1
        found = { ok: true, events: [], state, position: event.position }
      }
    }
    return found
  }

  /** Whether nothing was added to a stream since it was remembered; what is not known for sure is looked up. */
  const isCurrent = async (stream: string, loaded: Loaded<S>, asOf: Position | undefined): Promise<boolean> => {
    if (asOf === undefined || !store.isUnchanged?.(stream, loaded.seenTo))
      return (await readOn(stream, asOf)).revision === loaded.revision
    if (asOf > loaded.seenTo) cache.set(stream, { ...loaded, seenTo: asOf })
    return true
  }

  const execute = async (id: string, command: C, context: CommandContext): Promise<Outcome<E, S, R>> => {
    const stream = streamName(category, id)
    const earlier = context.repeated && (await findEarlier(stream, command.type, context))
    if (earlier) return earlier
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const loaded = (attempt === 0 && cache.get(stream)) || (await readOn(stream, context.asOf))
      if (loaded.owner !== undefined && loaded.owner !== context.owner) return { ok: false, rejected: foreign }
      const decision = decide(decider, loaded.state, command)
      if ('rejected' in decision || decision.length === 0) {
        // A remembered state may be behind what another process wrote: look again before saying no.
        if (attempt === 0 && !(await isCurrent(stream, loaded, context.asOf))) continue
        if ('rejected' in decision) return { ok: false, rejected: decision.rejected }
        return { ok: true, events: [], state: loaded.state, position: loaded.position }
      }
      const { commandId, repeated: _, asOf: __, ...about } = context
      const metadata = { ...about, recordedAt: clock.now() }
      const appended = await store.append(
        stream,
        loaded.revision,
        await codec.encode(
          decision.map((event, index) => ({
            id: deriveId(commandId, stream, command.type, index),
            stream,
            event,
            metadata,
          })),
        ),
      )
      if (appended.ok) {
        const state = fold(decider, loaded.state, decision)
        const { revision, position } = appended
        cache.set(stream, { state, revision, position, seenTo: position, owner: context.owner })
        return { ok: true, events: decision, state, position: appended.position }
      }
    }
    throw new Error(`${category}: ${maxAttempts} conflicts in a row on one stream`)
  }

  const inTurn = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const turn = (queues.get(id) ?? Promise.resolve()).then(work, work)
    queues.set(id, turn)
    const leave = () => {
      if (queues.get(id) === turn) queues.delete(id)
    }
    turn.then(leave, leave)
    return turn
  }

  return Object.assign(
    (id: string, command: C, context: CommandContext) => inTurn(id, () => execute(id, command, context)),
    {
      earlier: (id: string, type: C['type'], context: CommandContext) =>
        findEarlier(streamName(category, id), type, context),
      async load(id: string, owner: string | null) {
        const loaded = await readOn(streamName(category, id))
        return loaded.owner === undefined || loaded.owner === owner ? loaded.state : decider.initial
      },
    },
  )
}
