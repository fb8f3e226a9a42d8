import type { Subject } from '@prosa/contracts/events/subjects'

export interface Typed {
  type: string
  data: unknown
}

type Named<U extends Typed, T extends U['type']> = Extract<U, { type: T }>

/** Identifies snapshots (docs/decisions/0022-snapshots.md). */
export interface Saving {
  /** Two deciders may fold one stream. */
  decider: string
  /** Raise it when `evolve` or the state's shape changes: older snapshots are then ignored. */
  version: number
  /** Its key encrypts the state; erasing the key makes it unreadable. */
  subject(stream: { id: string; tenant: string }): Subject
  entries?: {
    /** A hint: fetches these entries together; others are fetched on demand. */
    keysOf(message: { type: string; data: unknown }): readonly string[]
    /** The subject whose key encrypts the value; after erasure `erased` replaces it. Undefined: not personal. */
    personal?(key: string, value: unknown): { address: string; erased: string } | 'stream' | undefined
    /** Stores a keyed hash instead. */
    isKeyPersonal?(key: string): boolean
  }
}

/** How a state follows from events. Readers of another service's streams name the types that they need and skip the others. */
export interface Reader<E extends Typed, S> {
  initial: S
  evolve: { [T in E['type']]: (state: S, data: Named<E, T>['data'], event: Named<E, T>) => S }
  /** Absent for short streams, which are folded each time. */
  saving?: Saving
}

/**
 * `decide` returns no events when the intent holds, `rejected` when not allowed. `evolve` never validates, throws or logs. Both are pure.
 */
export interface Decider<C extends Typed, E extends Typed, S, R extends string> {
  initial: S
  decide: { [T in C['type']]: (state: S, data: Named<C, T>['data']) => readonly E[] | { rejected: R } }
  evolve: { [T in E['type']]: (state: S, data: Named<E, T>['data']) => S }
  /** Absent for short streams, which are folded each time. */
  saving?: Saving
}

/** Deciders are named too, so that the event types are inferred. */
export type Foldable<E extends Typed, S> = Reader<E, S> | Decider<never, E, S, string>

export const fold = <E extends Typed, S>({ evolve }: Foldable<E, S>, state: S, events: Iterable<E>): S => {
  let current = state
  for (const event of events) {
    const rule = evolve[event.type as E['type']] as (state: S, data: unknown, event: E) => S
    current = rule(current, event.data, event)
  }
  return current
}

export const decide = <C extends Typed, E extends Typed, S, R extends string>(
  decider: Decider<C, E, S, R>,
  state: S,
  command: C,
): readonly E[] | { rejected: R } => {
  const rule = decider.decide[command.type as C['type']] as (state: S, data: unknown) => readonly E[] | { rejected: R }
  return rule(state, command.data)
}
