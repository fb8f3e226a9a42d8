import type { ReadEvent } from '../read-events.ts'

/** How far an output has come. */
export interface Reached {
  /** `position` of its last event. */
  after: string
  events: number
  /** When its first and last event were recorded. */
  first: string
  time: string
}

export const reachedWith = (before: Reached | undefined, events: readonly ReadEvent[]): Reached | undefined => {
  const [first, last] = [events[0]?.event, events.at(-1)?.event]
  if (!first || !last) return before
  return {
    after: last.position,
    events: (before?.events ?? 0) + events.length,
    first: before?.first ?? first.time,
    time: last.time,
  }
}

/** One opening is one run. After a failure it only closes. */
export interface Output {
  /** What it held at the opening; undefined where it was empty. The next event is the one behind it. */
  begun: Reached | undefined
  /** In order. Resolves when it takes more. */
  write(events: readonly ReadEvent[]): Promise<void>
  /** Complete: nothing more comes. Otherwise a later opening goes on. Returns what a later opening would find. */
  close(isComplete: boolean): Promise<Reached | undefined>
}
