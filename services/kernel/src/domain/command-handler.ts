import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { storedCommand } from '@prosa/contracts/stored-names'
import { type Category, streamName } from '@prosa/contracts/streams'
import { keyedQueue } from '../async/keyed-queue.ts'
import type { Clock } from '../clock.ts'
import { deriveId } from '../derive-id.ts'
import type { Codec } from '../event-store/codec.ts'
import type { EventStore, Position } from '../event-store/port.ts'
import { type Decider, decide, fold, type Typed } from './decider.ts'
import { findEarlier } from './find-earlier.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { Loaded } from './snapshots/state-memory.ts'
import { streamStates } from './snapshots/stream-states.ts'

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
  /** The stream most likely does not exist yet: it is not looked for before the append, which finds out and costs more where it does. */
  presumedNew?: true
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
  /** The outcome of this very command, if it was carried out within the last day; `type` is the command's. */
  earlier(id: string, type: C['type'], context: CommandContext): Promise<Outcome<E, S, R> | undefined>
  /**
   * The current state of the stream; the initial state when it is missing or belongs to another tenant than `owner`. Of a state
   * with entries those are in memory that `ask` asks for.
   */
  load(id: string, owner: string | null, ask?: (state: S) => unknown): Promise<S>
}

export interface CommandHandlerDeps<C extends Typed, E extends AnyEvent, S, R extends string> {
  store: EventStore
  codec: Codec
  clock: Clock
  category: Category
  decider: Decider<C, E, S, R>
  /** The refusal of a command to another tenant's stream: the same as for a stream that does not exist. */
  foreign: R
  /** Where states are saved that take long to fold; without it each is folded from the beginning once a process. */
  snapshots?: Snapshots
  /** Bytes that the states in memory take, together; 32 MB by default. */
  rememberedBytes?: number
  /** After so many events a state is saved again, 200 by default; only tests change it. */
  eventsBetweenSaves?: number
}

const maxAttempts = 50
const bytesInMemory = 32 * 1024 * 1024

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
  snapshots,
  rememberedBytes = bytesInMemory,
  eventsBetweenSaves,
}: CommandHandlerDeps<C, E, S, R>): CommandHandler<C, E, S, R> => {
  const states = streamStates({ store, codec, decider, snapshots, rememberedBytes, eventsBetweenSaves })
  const queue = keyedQueue()

  const findLast = findEarlier(store, clock)

  /** The outcome of the same command when its events stand in the stream: the state is the one that they led to. */
  const earlierOutcome = async (
    stream: string,
    type: C['type'],
    { commandId, owner }: CommandContext,
  ): Promise<Outcome<E, S, R> | undefined> => {
    const last = await findLast(stream, { commandId, type, owner })
    if (!last) return undefined
    return { ok: true, events: [], state: await states.at(stream, last.revision), position: last.position }
  }

  /** Whether nothing was added to a stream since it was remembered; what is not known for sure is looked up. */
  const isCurrent = async (stream: string, loaded: Loaded<S>, asOf: Position | undefined): Promise<boolean> => {
    if (asOf === undefined || !store.isUnchanged?.(stream, loaded.seenTo))
      return (await states.readOn(stream, asOf)).revision === loaded.revision
    if (asOf > loaded.seenTo) states.remember(stream, { ...loaded, seenTo: asOf })
    return true
  }

  const execute = async (id: string, command: C, context: CommandContext): Promise<Outcome<E, S, R>> => {
    const stream = streamName(category, id)
    const earlier = context.repeated && (await earlierOutcome(stream, command.type, context))
    if (earlier) return earlier
    // What follows is known before the append: nothing has to be fetched afterwards.
    const decideOn = (state: S) => {
      const decision = decide(decider, state, command)
      return 'rejected' in decision ? { decision, state } : { decision, state: fold(decider, state, decision) }
    }
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const atHand =
        attempt === 0 ? (states.remembered(stream) ?? (context.presumedNew && states.nothing())) : undefined
      const given = atHand || (await states.readOn(stream, context.asOf, command))
      if (given.owner !== undefined && given.owner !== context.owner) return { ok: false, rejected: foreign }
      const asked = given.point.saved
        ? await states.ask(stream, given, command, decideOn)
        : { loaded: given, answer: decideOn(given.state) }
      if (asked === 'outdated') continue
      const { loaded } = asked
      const { decision, state } = asked.answer
      if ('rejected' in decision || decision.length === 0) {
        if (loaded !== given) states.remember(stream, loaded)
        // A remembered state may be behind what another process wrote: read again before rejecting.
        if (attempt === 0 && !(await isCurrent(stream, loaded, context.asOf))) continue
        if ('rejected' in decision) return { ok: false, rejected: decision.rejected }
        return { ok: true, events: [], state: loaded.state, position: loaded.position }
      }
      const { commandId, repeated: _, asOf: __, presumedNew: ___, ...about } = context
      const metadata = { ...about, recordedAt: clock.now() }
      const events = decision.map((event, index) => ({
        id: deriveId(commandId, stream, storedCommand(command.type), index),
        stream,
        event,
        metadata,
      }))
      const appended = await store.append(stream, loaded.revision, await codec.encode(events))
      if (appended.ok) {
        const { revision, position } = appended
        const eventId = events.at(-1)?.id ?? null
        states.remember(stream, {
          ...loaded,
          state,
          revision,
          eventId,
          position,
          seenTo: position,
          owner: context.owner,
        })
        return { ok: true, events: decision, state, position: appended.position }
      }
    }
    throw new Error(`${category}: ${maxAttempts} conflicts in a row on one stream`)
  }

  return Object.assign(
    (id: string, command: C, context: CommandContext) => queue.run(id, () => execute(id, command, context)),
    {
      earlier: (id: string, type: C['type'], context: CommandContext) =>
        earlierOutcome(streamName(category, id), type, context),
      async load(id: string, owner: string | null, ask: (state: S) => unknown = () => undefined) {
        const stream = streamName(category, id)
        for (let attempt = 0; attempt < maxAttempts; attempt++) {
          const loaded = await states.readOn(stream)
          if (loaded.owner !== undefined && loaded.owner !== owner) return decider.initial
          const asked = await states.ask(stream, loaded, undefined, ask)
          if (asked === 'outdated') continue
          if (asked.loaded !== loaded) states.remember(stream, asked.loaded)
          return asked.loaded.state
        }
        throw new Error(`${category}: the state of one stream never came to rest`)
      },
    },
  )
}
