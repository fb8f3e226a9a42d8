import { expect } from 'vitest'
import { type Decider, decide, fold, type Typed } from './decider.ts'

/** `given(...events).when(command).then(...events)`, `.thenNothing()`, `.thenRejected(name)`. */
export const specify =
  <C extends Typed, E extends Typed, S, R extends string>(decider: Decider<C, E, S, R>) =>
  (...events: E[]) => ({
    when(command: C) {
      const outcome = decide(decider, fold(decider, decider.initial, events), command)
      return {
        // biome-ignore lint/suspicious/noThenProperty: specifications read given, when, then; nobody awaits them
        then: (...expected: E[]) => expect(outcome).toEqual(expected),
        thenNothing: () => expect(outcome).toEqual([]),
        thenRejected: (refusal: R) => expect(outcome).toEqual({ rejected: refusal }),
      }
    },
  })
