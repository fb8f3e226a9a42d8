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
  subject(stream: { id: string; owner: string }): Subject
  entries?: {
    /** A hint: fetches these entries together; others are fetched on demand. */
    keysOf(message: { type: string; data: unknown }): readonly string[]
    /** The subject whose key encrypts the value; after erasure `erased` replaces it. Undefined: not personal. */
    personal?(key: string, value: unknown): { address: string; erased: string } | 'stream' | undefined
    /** Stores a keyed hash instead. */
    isKeyPersonal?(key: string): boolean
  }
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

export const fold = <C extends Typed, E extends Typed, S, R extends string>(
  decider: Decider<C, E, S, R>,
  state: S,
  events: Iterable<E>,
): S => {
  let current = state
  for (const event of events) {
    const evolve = decider.evolve[event.type as E['type']] as (state: S, data: unknown) => S
    current = evolve(current, event.data)
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
