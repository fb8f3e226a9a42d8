import type { Subject } from '@prosa/contracts/events/subjects'

/** A command or an event: a name and what it carries. */
export interface Typed {
  type: string
  data: unknown
}

type Named<U extends Typed, T extends U['type']> = Extract<U, { type: T }>

/** What a state is kept under that is saved beside the log (docs/decisions/0022-snapshots.md). */
export interface Saving {
  /** Names the decider in the table: two may fold one stream. */
  decider: string
  /** Raised with every change of what `evolve` makes, or of the state's shape: what was saved before is then folded again. */
  version: number
  /** Under whose key the state is sealed: once that is erased, nobody can read it. */
  subject(stream: { id: string; owner: string }): Subject
  /** What follows is for states with `entries`. */
  entries?: {
    /**
     * The keys that a command or an event will ask for, so that they are fetched together. Only a hint: what is not in it is fetched when
     * it is asked for.
     */
    keysOf(message: { type: string; data: unknown }): readonly string[]
    /**
     * Whose value this is: its key seals it, and once that is erased, `erased` stands in its place. Undefined: nothing about a
     * person is in it.
     */
    personal?(key: string, value: unknown): { address: string; erased: string } | 'stream' | undefined
    /** Whether the key itself is personal data: a keyed hash is stored in its place. */
    isKeyPersonal?(key: string): boolean
  }
}

/**
 * The business rules of one kind of stream. `decide` returns the events of a command: none when the intent already holds,
 * `rejected` when it is not allowed. `evolve` folds a stored event into the state; it never validates, throws or logs. Both are
 * pure.
 */
export interface Decider<C extends Typed, E extends Typed, S, R extends string> {
  initial: S
  decide: { [T in C['type']]: (state: S, data: Named<C, T>['data']) => readonly E[] | { rejected: R } }
  evolve: { [T in E['type']]: (state: S, data: Named<E, T>['data']) => S }
  /** Absent: its streams are short, and folded from the beginning each time. */
  saving?: Saving
}

/** Folds events into a state, oldest first. */
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

/** Decides one command against a state. */
export const decide = <C extends Typed, E extends Typed, S, R extends string>(
  decider: Decider<C, E, S, R>,
  state: S,
  command: C,
): readonly E[] | { rejected: R } => {
  const rule = decider.decide[command.type as C['type']] as (state: S, data: unknown) => readonly E[] | { rejected: R }
  return rule(state, command.data)
}
