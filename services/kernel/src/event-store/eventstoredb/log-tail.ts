import { pause } from '../reachability.ts'
import type { Client } from './client.ts'
import { GoneSilent, isTooSlow, isUnreachable, NoAnswer } from './failures.ts'
import { beforeAll } from './position.ts'
import { type Heard, readHead, subscribe } from './reads.ts'
import { type KeptEvent, keptEvent, placeOfReceived } from './received.ts'

const maxEvents = 4000
const maxCharacters = 8 * 1024 * 1024

export interface LogTail {
  /** The place up to which the tail has read. */
  head(): bigint
  /** The events after a place; undefined where the tail does not reach that far back. */
  after(place: bigint): readonly KeptEvent[] | undefined
  /** Begins to follow the log; resolves once the tail knows where it ends. Harmless to repeat. */
  follow(signal: AbortSignal): Promise<void>
  /** Resolves when the tail has passed `place`, or when the signal aborts; rejects when the log can be followed no more. */
  passed(place: bigint, signal: AbortSignal): Promise<void>
}

/**
 * The newest events of the log, read once for all live subscribers of this process: each picks its own out of memory, and one
 * that falls behind goes back to the server. Reading all, it knows how far the log has got without checkpoints, which a server
 * sends to a live filter after a thousand foreign events only; and nothing here keeps the server waiting, which would drop it.
 * A subscription ends on every disturbance: this one goes on after the last event, and begins anew when it hears nothing for
 * long, in case it was forgotten.
 */
export const logTail = (
  client: Client,
  closed: AbortSignal,
  { silenceMilliseconds, onTrouble }: { silenceMilliseconds: number; onTrouble: (error: unknown) => void },
): LogTail => {
  let events: KeptEvent[] = []
  /** The tail holds everything after this place. */
  let from = beforeAll
  let head = beforeAll
  let characters = 0
  let started: Promise<void> | undefined
  let failure: Error | undefined
  const watchers = new Set<() => void>()

  const notify = () => {
    for (const notice of [...watchers]) notice()
  }

  const add = (heard: readonly Heard[]) => {
    let isNews = false
    for (const each of heard) {
      if (!('event' in each) || !each.event) continue
      head = placeOfReceived(each.event)
      // The server's own streams concern nobody here and wake nobody.
      if (each.event.streamId.startsWith('$')) continue
      const event = keptEvent(each.event)
      events.push(event)
      characters += size(event)
      isNews = true
    }
    if (events.length > 2 * maxEvents || characters > 2 * maxCharacters) trim()
    if (isNews) notify()
  }

  const trim = () => {
    let first = events.length
    let kept = 0
    while (first > 0 && events.length - first < maxEvents && kept < maxCharacters) kept += size(events[--first])
    from = events[first - 1]?.place ?? from
    events = events.slice(first)
    characters = kept
  }

  /** Until the subscription ends with an error, or has heard nothing for long. */
  const listen = async () => {
    const now = await readHead(client, silenceMilliseconds)
    if (now < head)
      throw new Error(`this log ends at ${now}, before ${head}, which was read from it: is it another one?`)
    const chunks = subscribe(client, head, {
      limit: Number.POSITIVE_INFINITY,
      gatherMilliseconds: 0,
      silenceMilliseconds: 3 * silenceMilliseconds,
    })
    try {
      for (;;) {
        const heard = await chunks.next(closed)
        if (closed.aborted) return
        if (heard === undefined) throw new NoAnswer('EventStoreDB ended a subscription')
        add(heard)
      }
    } catch (error) {
      if (!(error instanceof GoneSilent)) throw error
    } finally {
      chunks.stop()
    }
  }

  const run = async () => {
    let failures = 0
    while (!closed.aborted) {
      const began = head
      try {
        await listen()
      } catch (error) {
        if (head !== began) failures = 0
        if (!isUnreachable(error)) throw error
        if (!isTooSlow(error) && !closed.aborted) onTrouble(error)
        await pause(failures++, closed)
      }
    }
  }

  const start = async () => {
    from = await readHead(client, silenceMilliseconds)
    head = from
    events = []
    characters = 0
    failure = undefined
    run().catch((error: unknown) => {
      started = undefined
      failure = error instanceof Error ? error : new Error('the log cannot be followed', { cause: error })
      onTrouble(failure)
      notify()
    })
  }

  return {
    head: () => head,
    after: (place) => {
      if (place >= head) return []
      if (place < from) return undefined
      return events.slice(indexAfter(events, place))
    },
    follow: async (signal) => {
      for (let attempt = 0; !signal.aborted; attempt++) {
        try {
          started ??= start()
          return await started
        } catch (error) {
          started = undefined
          if (!isUnreachable(error)) throw error
          if (!signal.aborted) onTrouble(error)
          await pause(attempt, signal)
        }
      }
    },
    passed: (place, signal) =>
      new Promise((resolve, reject) => {
        const notice = () => {
          if (head <= place && !signal.aborted && !failure) return
          watchers.delete(notice)
          signal.removeEventListener('abort', notice)
          if (failure && !signal.aborted) reject(failure)
          else resolve()
        }
        watchers.add(notice)
        signal.addEventListener('abort', notice)
        notice()
      }),
  }
}

/** Where the events after a place begin. */
const indexAfter = (events: readonly KeptEvent[], place: bigint): number => {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.place ?? place) > place) high = middle
    else low = middle + 1
  }
  return low
}

const size = (event: KeptEvent | undefined): number => (event ? event.data.length + event.metadata.length : 0)
