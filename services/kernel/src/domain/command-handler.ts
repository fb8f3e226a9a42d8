import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { storedCommand } from '@prosa/contracts/stored-commands'
import { type CategoryOf, type StreamService, streamName } from '@prosa/contracts/streams'
import { keyedQueue } from '../async/keyed-queue.ts'
import type { Clock } from '../clock.ts'
import { deriveId } from '../derive-id.ts'
import type { Codec } from '../event-store/codec.ts'
import type { EventStore, Position } from '../event-store/port.ts'
import { traced } from '../observability/tracing.ts'
import { type Decider, decide, fold, type Typed } from './decider.ts'
import { findEarlier } from './find-earlier.ts'
import { loadState } from './read-fold.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { Loaded } from './snapshots/state-cache.ts'
import { type StreamStates, streamStates } from './snapshots/stream-states.ts'

/** `commandId` names the intent: the same id gives the same event ids. */
export interface CommandContext {
  commandId: string
  /** May have run before: looks for its events in the stream first. */
  repeated?: boolean
  /** Position of the causing event. A no-op then needs a stream unchanged up to there, not up to now. */
  asOf?: Position
  /** Skips the look-up; the append detects an existing stream, at a higher cost. */
  presumedNew?: true
  actor: Actor
  tenant: string | null
  causationId: string
  correlationId: string
  reason?: string
}

export type Outcome<E, S, R> =
  /** `events`: stored by this call (none when the intent held); `position`: end of the stream. */
  { ok: true; events: readonly E[]; state: S; position: Position | null } | { ok: false; rejected: R }

export interface CommandHandler<C extends Typed, E, S, R> {
  /** Decides again on a conflict. */
  (id: string, command: C, context: CommandContext): Promise<Outcome<E, S, R>>
  /** The outcome of this command if it ran within the last day. */
  earlier(id: string, type: C['type'], context: CommandContext): Promise<Outcome<E, S, R> | undefined>
  /** The initial state for a missing stream or another tenant's. Only the entries that `ask` requests are loaded. */
  load(id: string, tenant: string | null, ask?: (state: S) => unknown): Promise<S>
}

export interface CommandHandlerDeps<C extends Typed, E extends AnyEvent, S, R extends string, O extends StreamService> {
  store: EventStore
  codec: Codec
  clock: Clock
  /** Appends only to streams of its own. */
  service: O
  category: CategoryOf<O>
  decider: Decider<C, E, S, R>
  /** Refusal for another tenant's stream, same as for a missing one. */
  foreign: R
  /** Without it states are folded from the beginning once per process. */
  snapshots?: Snapshots
  /** 32 MB by default. */
  cacheBytes?: number
  /** 200 by default; only tests change it. */
  eventsBetweenSaves?: number
}

const maxAttempts = 50
const bytesInMemory = 32 * 1024 * 1024

interface Deciding {
  stream: string
  type: string
  context: CommandContext
  recordedAt: string
}

/** Ids follow from the command's: the same intent appends nothing twice. */
const eventsOf = <E extends AnyEvent>(decision: readonly E[], { stream, type, context, recordedAt }: Deciding) => {
  const { commandId, repeated: _, asOf: __, presumedNew: ___, ...about } = context
  const metadata = { ...about, recordedAt }
  return decision.map((event, index) => ({
    id: deriveId(commandId, stream, storedCommand(type), index),
    stream,
    event,
    metadata,
  }))
}

const readings = <E, S, R>(states: StreamStates<S>, store: EventStore, clock: Clock) => {
  const findLast = findEarlier(store, clock)

  /** The state right after the command's events. */
  const earlierOutcome = async (
    stream: string,
    type: string,
    { commandId, tenant }: CommandContext,
  ): Promise<Outcome<E, S, R> | undefined> => {
    const last = await findLast(stream, { commandId, type, tenant })
    if (!last) return undefined
    return { ok: true, events: [], state: await states.at(stream, last.revision), position: last.position }
  }

  /** Asks the store when unsure. */
  const isCurrent = async (stream: string, loaded: Loaded<S>, asOf: Position | undefined): Promise<boolean> => {
    if (asOf === undefined || !store.isUnchanged(stream, loaded.seenTo))
      return (await states.readOn(stream, asOf)).revision === loaded.revision
    if (asOf > loaded.seenTo) states.put(stream, { ...loaded, seenTo: asOf })
    return true
  }

  return { earlierOutcome, isCurrent }
}

/**
 * Cached states are safe because the append names its revision. Commands to a stream queue within the process, which avoids conflicts. A
 * stream belongs to the tenant of its first event and does not exist for others. Throws when the store is unreachable.
 */
export const commandHandler = <C extends Typed, E extends AnyEvent, S, R extends string, O extends StreamService>({
  store,
  codec,
  clock,
  category,
  decider,
  foreign,
  snapshots,
  cacheBytes = bytesInMemory,
  eventsBetweenSaves,
}: CommandHandlerDeps<C, E, S, R, O>): CommandHandler<C, E, S, R> => {
  const states = streamStates<E, S>({ store, codec, reader: decider, snapshots, cacheBytes, eventsBetweenSaves })
  const queue = keyedQueue()
  const { earlierOutcome, isCurrent } = readings<E, S, R>(states, store, clock)

  const execute = async (id: string, command: C, context: CommandContext): Promise<Outcome<E, S, R>> => {
    const stream = streamName(category, id)
    const earlier = context.repeated && (await earlierOutcome(stream, command.type, context))
    if (earlier) return earlier
    // Folds before the append, so that no entry must be fetched after it.
    const decideOn = (state: S) => {
      const decision = decide(decider, state, command)
      return 'rejected' in decision ? { decision, state } : { decision, state: fold(decider, state, decision) }
    }
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const atHand = attempt === 0 ? (states.cached(stream) ?? (context.presumedNew && states.nothing())) : undefined
      const given = atHand || (await states.readOn(stream, context.asOf, command))
      if (given.tenant !== undefined && given.tenant !== context.tenant) return { ok: false, rejected: foreign }
      const asked = given.point.saved
        ? await states.ask(stream, given, command, decideOn)
        : { loaded: given, answer: decideOn(given.state) }
      if (asked === 'outdated') continue
      const { loaded } = asked
      const { decision, state } = asked.answer
      if ('rejected' in decision || decision.length === 0) {
        if (loaded !== given) states.put(stream, loaded)
        // The cache may be stale: read again before rejecting.
        if (attempt === 0 && !(await isCurrent(stream, loaded, context.asOf))) continue
        if ('rejected' in decision) return { ok: false, rejected: decision.rejected }
        return { ok: true, events: [], state: loaded.state, position: loaded.position }
      }
      const events = eventsOf(decision, { stream, type: command.type, context, recordedAt: clock.now() })
      const appended = await store.append(stream, loaded.revision, await codec.encode(events))
      if (appended.ok) {
        const { revision, position } = appended
        const eventId = events.at(-1)?.id ?? null
        states.put(stream, {
          ...loaded,
          state,
          revision,
          eventId,
          position,
          seenTo: position,
          tenant: context.tenant,
        })
        return { ok: true, events: decision, state, position: appended.position }
      }
    }
    throw new Error(`${category}: ${maxAttempts} conflicts in a row on one stream`)
  }

  return Object.assign(
    (id: string, command: C, context: CommandContext) => {
      const about = { 'prosa.command': command.type, 'prosa.category': category }
      const run = () =>
        traced(`command ${command.type}`, about, () => execute(id, command, context), context.correlationId)
      return queue.run(id, run)
    },
    {
      earlier: (id: string, type: C['type'], context: CommandContext) =>
        earlierOutcome(streamName(category, id), type, context),
      load: (id: string, tenant: string | null, ask?: (state: S) => unknown) =>
        loadState(states, decider.initial, streamName(category, id), tenant, ask),
    },
  )
}
