import type { Position } from '../../event-store/port.ts'
import type { Handling, Page, Session, Strategy } from './consume.ts'
import type { Advance } from './in-halves.ts'
import { lazily } from './lazily.ts'

/**
 * When the checkpoint is moved over events that do not concern the consumer. What does concern it moves it at once; in between
 * a crash only reads again what passes by.
 */
export interface Passing {
  /** So many milliseconds later, with whatever has passed by until then. */
  afterMs?: number
  /** After so many events; 0: with every page. */
  afterEvents?: number
  /** When the end of the log is reached. */
  whenLive?: true
}

/** What is remembered from page to page. */
export interface PassingState {
  events: number
  wasLive: boolean
}

/** What a page leads to: `take` it at once, move over it `later`, or only `note` it. */
export const nextStep = (
  { events, wasLive }: PassingState,
  page: Pick<Page, 'passed' | 'live'> & { concerning: number },
  { afterMs, afterEvents, whenLive }: Passing,
): { step: 'take' | 'later' | 'note'; state: PassingState } => {
  const passed = events + page.passed
  const isDue = (afterEvents !== undefined && passed >= afterEvents) || (whenLive && page.live && !wasLive)
  if (page.concerning > 0 || isDue) return { step: 'take', state: { events: 0, wasLive: page.live } }
  return { step: afterMs === undefined ? 'note' : 'later', state: { events: passed, wasLive } }
}

/** What is done with a batch: rows and checkpoint in one transaction, as a rule. */
export interface BatchHandler {
  from: Position
  /** Where it stands. */
  reached: () => Position
  /** Takes events and moves on to `upTo`; `live` where that is the end of the log. False goes no further. */
  take: (...args: [...Parameters<Advance>, live: boolean]) => Promise<boolean>
  passing: Passing
  /** Moves on to where nothing was to be done, `afterMs` later. */
  pass?: (upTo: Position) => Promise<void>
  beside?: () => Promise<void>
}

/** Takes the log batch by batch, in its order. */
export const batches =
  (open: (session: Session) => Promise<BatchHandler | undefined>): Strategy =>
  async (session) => {
    const handler = await open(session)
    return handler && handling(handler, session)
  }

const handling = (handler: BatchHandler, { until, end }: Session): Handling => {
  const { from, reached, take, passing, pass, beside } = handler
  let state: PassingState = { events: 0, wasLive: false }
  let passed = from
  const move = async () => {
    if (passed > reached()) await pass?.(passed)
  }
  const moving = lazily(passing.afterMs ?? 0, move, end)
  return {
    from,
    async take({ events, passed: count, upTo, live }) {
      const next = nextStep(state, { concerning: events.length, passed: count, live }, passing)
      state = next.state
      if (next.step === 'take') {
        // From here on nothing may be written as passed: these events are still to be taken.
        await moving.idle()
        return until.aborted || take(events, upTo, live)
      }
      passed = upTo
      if (next.step === 'later' && upTo > reached()) moving.soon()
      return true
    },
    ...(beside && { beside }),
    finish: moving.idle,
  }
}
