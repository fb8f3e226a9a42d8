import { parseStream } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { findMissedMessages, findNextMessage } from '../queries.ts'
import { decoded, type Reader, readRange } from '../read-events.ts'
import { dropBefore } from './others.ts'
import type { Facts } from './rule.ts'
import { needsRecent, streamsOf } from './rule-of.ts'

/** Of a stream that a rule reads whole. */
const maxWhole = 1000
const maxRecent = 50

export interface RuleFacts {
  /** Undefined: a stream is too long. */
  of(event: Stored): Facts | undefined
  /** What the rules may name. */
  events: readonly Stored[]
}

/** Undefined where it is too long. */
const readWhole = async (reader: Reader, stream: string): Promise<readonly Stored[] | undefined> => {
  const recorded = await readRange(reader, stream, 0, maxWhole)
  return recorded.length > maxWhole ? undefined : decoded(reader, recorded)
}

const readRecent = async (reader: Reader, { stream, revision }: Stored): Promise<readonly Stored[]> => {
  const last = Number(revision) - 1
  return last < 0 ? [] : decoded(reader, await readRange(reader, stream, Math.max(0, last - maxRecent + 1), last))
}

const readMessages = async (pool: Pool, event: Stored, earlier: readonly Stored[]) => {
  const { id } = parseStream(event.stream)
  if (event.type === 'ConversationReopened' && event.metadata.actor.kind === 'whatsapp')
    return { nextMessage: await findNextMessage(pool, id, event.position), missed: undefined }
  const drop = event.type === 'LineOpened' ? dropBefore(earlier) : undefined
  const missed =
    drop &&
    (await findMissedMessages(pool, {
      connectionId: id,
      tenant: event.metadata.tenant,
      after: drop.position,
      from: drop.metadata.recordedAt,
      to: event.metadata.recordedAt,
    }))
  return { nextMessage: undefined, missed }
}

/** Each stream is read once; only of events that have a rule. */
export const readFacts = async (
  { pool, ...reader }: Reader & { pool: Pool },
  events: readonly Stored[],
): Promise<RuleFacts> => {
  const streams = new Map<string, readonly Stored[] | undefined>()
  for (const stream of new Set(events.flatMap(streamsOf))) streams.set(stream, await readWhole(reader, stream))
  const recent = new Map<string, readonly Stored[]>()
  const messages = new Map<string, Awaited<ReturnType<typeof readMessages>>>()
  for (const event of events.filter(needsRecent)) {
    const earlier = await readRecent(reader, event)
    recent.set(event.id, earlier)
    messages.set(event.id, await readMessages(pool, event, earlier))
  }
  return {
    events: [...streams.values()].flatMap((each) => each ?? []),
    of(event) {
      if (streamsOf(event).some((stream) => streams.get(stream) === undefined)) return undefined
      const { nextMessage, missed } = messages.get(event.id) ?? {}
      const own = recent.get(event.id)
      return {
        nextMessage,
        missed,
        earlier: (stream) => own ?? (streams.get(stream) ?? []).filter(({ position }) => position < event.position),
      }
    },
  }
}
