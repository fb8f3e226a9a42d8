import { serialQueue } from '../../async/keyed-queue.ts'
import type { Position } from '../../event-store/port.ts'
import type { Handling, Page, Session, Strategy } from './consume.ts'
import type { Advance } from './in-halves.ts'

interface Lazily {
  /** An earlier time replaces a later one. */
  within(ms: number): void
  /** Cancels scheduled work and waits for running work. */
  idle(): Promise<void>
}

/** Delayed work that coalesces calls. */
const lazily = (work: () => Promise<void>, onFailure: (error: unknown) => void): Lazily => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  const serially = serialQueue()
  let running: Promise<void> = Promise.resolve()
  const cancel = () => {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }
  return {
    within(ms) {
      const at = performance.now() + ms
      if (at >= dueAt) return
      cancel()
      dueAt = at
      timer = setTimeout(() => {
        dueAt = Number.POSITIVE_INFINITY
        running = serially(work).catch(onFailure)
      }, ms)
    },
    idle() {
      cancel()
      return running
    },
  }
}

/** When the checkpoint moves over irrelevant events, which a crash only repeats. */
export interface Passing {
  afterMs?: number | (() => number)
  /** 0: with every page. */
  afterEvents?: number
  whenLive?: true
}

export interface PassingState {
  events: number
  wasLive: boolean
}

/** `take` now, move the checkpoint `later`, or only `note`. */
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

export interface BatchHandler {
  from: Position
  reached: () => Position
  /** False ends the reading; `live` at the end of the log. */
  take: (...args: [...Parameters<Advance>, live: boolean]) => Promise<boolean>
  passing: Passing
  pass?: (upTo: Position) => Promise<void>
  /** Somebody waits: `passing.afterMs` may have become shorter. */
  onWanted?: (listener: () => void) => void
  beside?: () => Promise<void>
}

export const batches =
  (open: (session: Session) => Promise<BatchHandler | undefined>): Strategy =>
  async (session) => {
    const handler = await open(session)
    return handler && handling(handler, session)
  }

const handling = (handler: BatchHandler, { until, end }: Session): Handling => {
  const { from, reached, take, passing, pass, beside, onWanted } = handler
  const { afterMs = 0 } = passing
  let state: PassingState = { events: 0, wasLive: false }
  let passed = from
  const move = async () => {
    if (passed > reached()) await pass?.(passed)
  }
  const moving = lazily(move, end)
  const moveLater = () => {
    if (passed > reached()) moving.within(typeof afterMs === 'number' ? afterMs : afterMs())
  }
  onWanted?.(moveLater)
  return {
    from,
    async take({ events, passed: count, upTo, live }) {
      const next = nextStep(state, { concerning: events.length, passed: count, live }, passing)
      state = next.state
      if (next.step === 'take') {
        // A passed position written after these events would repeat them, one before them would skip them. Somebody may ask meanwhile.
        passed = reached()
        await moving.idle()
        return until.aborted || take(events, upTo, live)
      }
      passed = upTo
      if (next.step === 'later') moveLater()
      return true
    },
    ...(beside && { beside }),
    finish: moving.idle,
  }
}
