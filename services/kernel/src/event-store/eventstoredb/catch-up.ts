import { categoryOf } from '../category.ts'
import { PositionOfAnotherLog, type RecordedEvent } from '../port.ts'
import type { Client } from './client.ts'
import { isHandlerException, isTooSlow, NoAnswer } from './failures.ts'
import { type SubscriptionItem, subscribe } from './reads.ts'
import { numericPositionOfReceived, recordedEvent } from './received.ts'

const pageSize = 2000
/** The server sends events one by one; batches are faster. */
const gatherMs = 50

export interface Page {
  events: RecordedEvent[]
  upTo: bigint
}

/**
 * Without categories every stream but the server's. Ends at an event's position or on abort. Only subscriptions can filter, so it uses one,
 * and resumes when dropped as too slow.
 */
export async function* catchUp(
  client: Client,
  after: bigint,
  head: bigint,
  categories: readonly string[] | undefined,
  { silenceMs, signal }: { silenceMs: number; signal?: AbortSignal },
): AsyncGenerator<Page> {
  const wanted = categories && new Set(categories.filter((category) => category !== '' && !category.includes('-')))
  let numericPosition = after
  if (wanted?.size === 0) {
    if (numericPosition < head) yield { events: [], upTo: head }
    return
  }
  const prefixes = wanted && [...wanted].map((category) => `${category}-`)
  const options = { ...(prefixes && { prefixes }), limit: pageSize, gatherMs, silenceMs }

  while (numericPosition < head) {
    const began = numericPosition
    const chunks = subscribe(client, numericPosition, options)
    try {
      while (numericPosition < head) {
        const received = await chunks.next(signal)
        if (signal?.aborted) return
        if (received === undefined) throw new NoAnswer('EventStoreDB ended a subscription')
        const page = pageOf(received, numericPosition, head, wanted)
        if (page.upTo === numericPosition) continue
        numericPosition = page.upTo
        yield page
      }
    } catch (error) {
      if (isHandlerException(error))
        throw new PositionOfAnotherLog(`position ${numericPosition} is no event of this log`, { cause: error })
      if (!isTooSlow(error) || numericPosition === began) throw error
    } finally {
      chunks.stop()
    }
  }
}

const pageOf = (
  received: readonly SubscriptionItem[],
  after: bigint,
  head: bigint,
  wanted: ReadonlySet<string> | undefined,
): Page => {
  const events: RecordedEvent[] = []
  let upTo = after
  for (const each of received) {
    if ('caughtUp' in each) return { events, upTo: head }
    if ('passed' in each) {
      if (each.passed > upTo) upTo = each.passed
    } else if (each.event) {
      upTo = numericPositionOfReceived(each.event)
      const isWanted = wanted?.has(categoryOf(each.event.streamId)) ?? !each.event.streamId.startsWith('$')
      if (upTo <= head && isWanted) events.push(recordedEvent(each.event))
    }
    if (upTo >= head) return { events, upTo: head }
  }
  return { events, upTo }
}
