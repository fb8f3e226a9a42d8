/** A command or an event: a name and what it carries. */
export interface Typed {
  type: string
  data: unknown
}

type Named<U extends Typed, T extends U['type']> = Extract<U, { type: T }>

/**
 * One business rule book. `decide` says which events a command leads to: none when the intent already holds, `rejected`
 * when it is not allowed. `evolve` folds a stored event into the state; it never validates, throws or logs. Both are pure.
 */
export interface Decider<C extends Typed, E extends Typed, S, R extends string> {
  initial: S
  decide: { [T in C['type']]: (state: S, data: Named<C, T>['data']) => readonly E[] | { rejected: R } }
  evolve: { [T in E['type']]: (state: S, data: Named<E, T>['data']) => S }
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
